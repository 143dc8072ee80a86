//! The schema according to introspection: the fields of each type, with their arguments.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::side::introspected;

const INTROSPECTION: &str = "{ __schema { queryType { name } mutationType { name } subscriptionType { name }
    types { name enumValues { name } possibleTypes { name } inputFields { name ...of }
        fields { name args { name ...of } type { ...to } } } } }
    fragment of on __InputValue { type { ...to } }
    fragment to on __Type { kind name ofType { kind name ofType { kind name ofType { kind name
        ofType { kind name ofType { kind name } } } } } }";

/// The types of the schema.
pub(crate) struct Shape(BTreeMap<String, Type>);

#[derive(Default)]
pub(crate) struct Type {
    /// The fields, or the members of an input.
    pub(crate) fields: Vec<Field>,
    /// The values of an enum.
    pub(crate) values: Vec<String>,
    /// The types that implement an interface.
    possible: Vec<String>,
}

/// A field, an argument or a member of an input.
pub(crate) struct Field {
    pub(crate) name: String,
    /// The type, without lists and `!`.
    pub(crate) of: String,
    pub(crate) is_list: bool,
    pub(crate) is_required: bool,
    pub(crate) args: Vec<Field>,
}

/// The values given for an argument in the documents of a test, each as GraphQL text.
pub(crate) enum Given {
    /// No value.
    Omitted,
    /// Always this one.
    Always(String),
    /// Each of these, combined with all values of the other arguments.
    Each(Vec<String>),
    /// Each of these in turn and none, while every other argument is at its default.
    InTurn(Vec<String>),
    /// Each of these and none, combined with all values of the other arguments.
    WithAll(Vec<String>),
}

impl Shape {
    pub(crate) async fn read() -> Self {
        let told = introspected(INTROSPECTION).await;
        let types = told["data"]["__schema"]["types"].as_array().unwrap_or_else(|| panic!("{told}")).iter();
        Self(types.map(|of| (name(of), Type::read(of))).collect())
    }

    pub(crate) fn of(&self, name: &str) -> &Type {
        self.0.get(name).unwrap_or_else(|| panic!("the schema has no {name}"))
    }

    /// The selection set of a type, in braces; empty for a scalar. A type inside itself, the edge of a list,
    /// and a game or a player inside something else are selected without the fields that take arguments or
    /// are objects.
    pub(crate) fn selection(&self, of: &str, path: &[&str], give: &dyn Fn(&str, &Field) -> Given) -> String {
        let found = self.of(of);
        let is_inside = of == "Game" && !path.is_empty() || of == "Player" && path != ["Query"];
        let is_short = path.contains(&of) || of.ends_with("Edge") || is_inside;
        let mut selected = String::new();
        for field in &found.fields {
            if is_short && !(field.args.is_empty() && self.of(&field.of).is_leaf()) {
                continue;
            }
            selected += &self.asked(field, &[path, &[of]].concat(), give).join(" ");
            selected.push(' ');
        }
        for possible in &found.possible {
            selected += &format!("... on {possible} {} ", self.selection(possible, &[path, &[of]].concat(), give));
        }
        if selected.is_empty() { selected } else { format!("{{ __typename {selected}}}") }
    }

    /// The ways to request a field, each except the first under an alias. Below it, only required arguments
    /// are given, except in a position.
    pub(crate) fn asked(&self, field: &Field, path: &[&str], give: &dyn Fn(&str, &Field) -> Given) -> Vec<String> {
        let at_rest = |of: &str, arg: &Field| give(of, arg).at_rest();
        let below = match field.of.as_str() {
            "Position" => self.selection(&field.of, path, give),
            of => self.selection(of, path, &at_rest),
        };
        let ask = |(number, way): (usize, String)| match number {
            0 => format!("{}{way} {below}", field.name),
            _ => format!("{0}{number}: {0}{way} {below}", field.name),
        };
        arguments(field, give).into_iter().enumerate().map(ask).collect()
    }
}

impl Given {
    /// Only required arguments, and those that are always given.
    pub(crate) fn at_rest(self) -> Self {
        match self {
            Self::InTurn(_) | Self::WithAll(_) => Self::Omitted,
            given => given,
        }
    }
}

impl Type {
    fn read(json: &Value) -> Self {
        let names = |member: &str| json[member].as_array().into_iter().flatten().map(name).collect();
        let fields = json["fields"].as_array().or_else(|| json["inputFields"].as_array());
        let fields = fields.into_iter().flatten().map(Field::read).collect();
        let mut read = Self { fields, values: names("enumValues"), possible: names("possibleTypes") };
        read.fields.sort_by(|one: &Field, other| one.name.cmp(&other.name));
        read
    }

    fn is_leaf(&self) -> bool {
        self.fields.is_empty() && self.possible.is_empty()
    }
}

impl Field {
    fn read(json: &Value) -> Self {
        let args = json["args"].as_array().into_iter().flatten().map(Self::read).collect();
        let mut of = &json["type"];
        let is_required = of["kind"] == "NON_NULL";
        let mut is_list = false;
        while of["name"].is_null() {
            assert!(!of.is_null(), "a type is a list of more lists than introspection asks for");
            is_list |= of["kind"] == "LIST";
            of = &of["ofType"];
        }
        Self { name: name(json), of: name(of), is_list, is_required, args }
    }
}

/// The ways to give the arguments of a field, each in parentheses or empty.
fn arguments(field: &Field, give: &dyn Fn(&str, &Field) -> Given) -> Vec<String> {
    let mut ways: Vec<Vec<String>> = vec![Vec::new()];
    let mut in_turn = Vec::new();
    for arg in &field.args {
        let with = |value: &String| format!("{}: {value}", arg.name);
        let each = |values: &[String], ways: &[Vec<String>]| {
            let add =
                |way: &Vec<String>| values.iter().map(|one| [&way[..], &[with(one)]].concat()).collect::<Vec<_>>();
            ways.iter().flat_map(add).collect::<Vec<_>>()
        };
        match give(&field.name, arg) {
            Given::Omitted => assert!(!arg.is_required, "{} has to be given", arg.name),
            Given::Always(value) => ways.iter_mut().for_each(|way| way.push(with(&value))),
            Given::Each(values) => ways = each(&values, &ways),
            Given::InTurn(values) => in_turn.extend(values.iter().map(with)),
            Given::WithAll(values) => ways.extend(each(&values, &ways)),
        }
    }
    let rest = ways[0].clone();
    ways.extend(in_turn.into_iter().map(|one| [&rest[..], &[one]].concat()));
    let text = |way: Vec<String>| if way.is_empty() { String::new() } else { format!("({})", way.join(", ")) };
    ways.into_iter().map(text).collect()
}

fn name(json: &Value) -> String {
    json["name"].as_str().or_else(|| json.as_str()).unwrap_or_else(|| panic!("{json} has no name")).to_owned()
}
