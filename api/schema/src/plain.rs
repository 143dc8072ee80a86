//! Objects that are written into the answer at once, such as scenes, trees and distributions.
//!
//! async-graphql resolves every member of every object by a future of its own. For a scene, with thousands of
//! members, that takes many times as long as drawing it. A plain object declares its members here, for the schema
//! and for writing them, and becomes text with what the operation asks for.

use std::borrow::{Borrow, Cow};
use std::marker::PhantomData;
use std::sync::Arc;

use async_graphql::parser::types::{self as parser, Field, SelectionSet};
use async_graphql::registry::{Deprecation, MetaField, MetaInputValue, MetaType, MetaTypeId, Registry};
use async_graphql::{
    CacheControl, Context, ContextSelectionSet, OutputType, Positioned, QueryPathNode, QueryPathSegment,
    SelectionField, ServerResult, Value,
};
use plybook_service::error::Problem;
use plybook_service::load::Execution;
use serde::Serialize;

use super::scalar::Json;
use super::spend;

/// What every object has besides its members: the name of its type.
const TYPE_NAME: &str = "__typename";

/// An object type whose members are plain data.
pub trait Plain: Sized + Send + Sync + 'static {
    /// Its name in the schema.
    const NAME: &'static str;

    /// Its description in the schema.
    const ABOUT: &'static str;

    /// Its members.
    fn members() -> &'static Members<Self>;
}

/// The members of a plain object.
pub struct Members<T>(Vec<Member<T>>);

struct Member<T> {
    name: &'static str,
    about: &'static str,
    /// Whether it is a list with the argument `first`.
    is_cut: bool,
    register: Register,
    write: Write<T>,
}

/// Registers the type of a member, and returns its name.
type Register = fn(&mut Registry) -> String;

/// Writes a member, with what is asked for of it.
type Write<T> = Box<dyn Fn(&T, &Selection, &mut Out) + Send + Sync>;

/// The answer, as far as it is written, and the last reason for which it cannot be.
#[derive(Default)]
pub struct Out {
    bytes: Vec<u8>,
    /// How many bytes the answer may still have; lists are not written any further than that.
    room: usize,
    problem: Option<Problem>,
}

/// What an operation asks for of an object, in order: the name in the answer, the member, and what it asks for of
/// that.
#[derive(Default)]
pub struct Selection {
    members: Vec<(String, String, Selection)>,
    /// The argument `first` of the field.
    first: Option<i64>,
}

/// A plain object in an answer.
pub struct Written<T> {
    json: Json,
    of: PhantomData<fn() -> T>,
}

/// A list of plain objects in an answer.
pub struct WrittenList<T> {
    json: Json,
    of: PhantomData<fn() -> T>,
}

impl<T: Plain> Members<T> {
    /// No members.
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a member whose type in the schema is that of `V`. `write` puts a value of this type.
    pub fn value<V: OutputType>(
        self,
        name: &'static str,
        about: &'static str,
        write: impl Fn(&T, &mut Out) + Send + Sync + 'static,
    ) -> Self {
        self.with(name, about, V::create_type_info, Box::new(move |of, _, out| write(of, out)))
    }

    /// Adds an object, or null.
    pub fn object<U: Plain>(
        self,
        name: &'static str,
        about: &'static str,
        get: impl Fn(&T) -> Option<&U> + Send + Sync + 'static,
    ) -> Self {
        let write = move |of: &T, selection: &Selection, out: &mut Out| match get(of) {
            Some(object) => out.object(object, &selection.members()),
            None => out.put(&()),
        };
        self.with(name, about, Option::<Written<U>>::create_type_info, Box::new(write))
    }

    /// Adds a list of objects.
    pub fn objects<U: Plain>(
        self,
        name: &'static str,
        about: &'static str,
        get: impl Fn(&T) -> &[U] + Send + Sync + 'static,
    ) -> Self {
        let write = move |of: &T, selection: &Selection, out: &mut Out| {
            let members = selection.members();
            out.list(get(of), |object, out| out.object(object, &members));
        };
        self.with(name, about, Vec::<Written<U>>::create_type_info, Box::new(write))
    }

    /// Adds a list of objects with the argument `first`: how many of them are written, by default and at most.
    pub fn first_objects<U: Plain>(
        self,
        name: &'static str,
        about: &'static str,
        (default, most): (usize, usize),
        get: impl Fn(&T) -> &[U] + Send + Sync + 'static,
    ) -> Self {
        let write = move |of: &T, selection: &Selection, out: &mut Out| {
            let first = selection.first.map_or(Some(default), |first| usize::try_from(first).ok());
            let Some(first) = first.filter(|first| *first <= most) else {
                out.problem = Some(Problem::BadInput(format!("`first` is a number from 0 to {most}")));
                return;
            };
            let (all, members) = (get(of), selection.members());
            out.list(&all[..first.min(all.len())], |object, out| out.object(object, &members));
        };
        let mut all = self.with(name, about, Vec::<Written<U>>::create_type_info, Box::new(write));
        all.0.iter_mut().rev().take(1).for_each(|member| member.is_cut = true);
        all
    }

    /// Adds a member of an object that is registered elsewhere.
    pub fn registered(self, name: &'static str, write: impl Fn(&T, &mut Out) + Send + Sync + 'static) -> Self {
        self.with(name, "", |_| String::new(), Box::new(move |of, _, out| write(of, out)))
    }

    fn with(mut self, name: &'static str, about: &'static str, register: Register, write: Write<T>) -> Self {
        self.0.push(Member { name, about, is_cut: false, register, write });
        self
    }
}

impl<T> Member<T> {
    fn meta(&self, registry: &mut Registry) -> (String, MetaField) {
        let field = MetaField {
            name: self.name.to_owned(),
            description: Some(self.about.to_owned()),
            args: self.is_cut.then(|| ("first".to_owned(), first(registry))).into_iter().collect(),
            ty: (self.register)(registry),
            deprecation: Deprecation::NoDeprecated,
            cache_control: CacheControl::default(),
            external: false,
            requires: None,
            provides: None,
            visible: None,
            shareable: false,
            inaccessible: false,
            tags: Vec::new(),
            override_from: None,
            compute_complexity: None,
            directive_invocations: Vec::new(),
            requires_scopes: Vec::new(),
        };
        (self.name.to_owned(), field)
    }
}

/// The argument that says how many entries of a list are written; it is described with all others.
fn first(registry: &mut Registry) -> MetaInputValue {
    MetaInputValue {
        name: "first".to_owned(),
        description: None,
        ty: <Option<i32> as OutputType>::create_type_info(registry),
        deprecation: Deprecation::NoDeprecated,
        default_value: None,
        visible: None,
        inaccessible: false,
        tags: Vec::new(),
        is_secret: false,
        directive_invocations: Vec::new(),
    }
}

impl Out {
    /// Writes a value.
    pub fn put(&mut self, value: &(impl Serialize + ?Sized)) {
        serde_json::to_writer(&mut self.bytes, value).expect("it is plain data");
    }

    fn list<V>(&mut self, values: &[V], write: impl Fn(&V, &mut Self)) {
        self.bytes.push(b'[');
        for (index, value) in values.iter().enumerate() {
            if self.bytes.len() > self.room {
                return;
            }
            if index > 0 {
                self.bytes.push(b',');
            }
            write(value, self);
        }
        self.bytes.push(b']');
    }

    fn object<T: Plain>(&mut self, object: &T, members: &[Selected<'_, T>]) {
        self.bytes.push(b'{');
        for (index, (key, member, selection)) in members.iter().enumerate() {
            if index > 0 {
                self.bytes.push(b',');
            }
            // Names of GraphQL need no escapes.
            self.bytes.push(b'"');
            self.bytes.extend_from_slice(key.as_bytes());
            self.bytes.extend_from_slice(b"\":");
            match member {
                Some(member) => (member.write)(object, selection, self),
                None => self.put(T::NAME),
            }
        }
        self.bytes.push(b'}');
    }
}

/// A selected member, with its name in the answer; `None` stands for `__typename`.
type Selected<'a, T> = (&'a str, Option<&'static Member<T>>, &'a Selection);

impl Selection {
    /// What is asked for of the field that is resolved, wherever the operation selects it: each place is resolved by itself, and
    /// async-graphql cannot put texts together. `@skip` and `@include` have been applied before an operation is executed, and
    /// plain objects have only one type, so that fragments always apply.
    fn of(ctx: &Context<'_>) -> Self {
        let mut selection = Self::default();
        for field in places(ctx) {
            selection.add(ctx.with_field(field).field());
        }
        selection
    }

    /// Adds what a field selects. A member that is selected several times is written once, with everything that is
    /// asked for of it.
    fn add(&mut self, field: SelectionField<'_>) {
        let arguments = field.arguments().unwrap_or_default();
        self.first = arguments.iter().find(|(name, _)| name == "first").and_then(|(_, value)| match value {
            Value::Number(number) => number.as_i64(),
            _ => None,
        });
        for member in field.selection_set() {
            let key = member.alias().unwrap_or(member.name());
            let at = self.members.iter().position(|(known, ..)| known == key).unwrap_or_else(|| {
                self.members.push((key.to_owned(), member.name().to_owned(), Self::default()));
                self.members.len() - 1
            });
            self.members[at].2.add(member);
        }
    }

    fn members<T: Plain>(&self) -> Vec<Selected<'_, T>> {
        let member = |name: &str| T::members().0.iter().find(|member| member.name == name);
        let selected =
            self.members.iter().map(|(key, name, selection)| (name, (key.as_str(), member(name), selection)));
        // What is neither belongs to another type of an interface, which has a field of the same name.
        selected
            .filter(|(name, (_, member, _))| member.is_some() || *name == TYPE_NAME)
            .map(|(_, member)| member)
            .collect()
    }
}

impl<T: Plain> Written<T> {
    /// Writes what the operation asks for of an object, in the resolver of its field.
    ///
    /// # Errors
    /// The answer becomes too large.
    pub fn new(ctx: &Context<'_>, object: &T) -> Result<Self, Problem> {
        let json = write(ctx, |out| out.object(object, &Selection::of(ctx).members()))?;
        Ok(Self { json, of: PhantomData })
    }
}

impl<T: Plain> WrittenList<T> {
    /// Writes what the operation asks for of each object of a list, in the resolver of its field.
    ///
    /// # Errors
    /// The answer becomes too large.
    pub fn new<B: Borrow<T>>(ctx: &Context<'_>, objects: &[B]) -> Result<Self, Problem> {
        Self::write(ctx, &Selection::of(ctx), objects)
    }

    /// The same if all that the operation asks for is plain; otherwise `None`.
    ///
    /// # Errors
    /// The answer becomes too large.
    pub fn if_plain<B: Borrow<T>>(ctx: &Context<'_>, objects: &[B]) -> Result<Option<Self>, Problem> {
        let selection = Selection::of(ctx);
        let is_plain = selection.members::<T>().len() == selection.members.len();
        is_plain.then(|| Self::write(ctx, &selection, objects)).transpose()
    }

    fn write<B: Borrow<T>>(ctx: &Context<'_>, selection: &Selection, objects: &[B]) -> Result<Self, Problem> {
        let members = selection.members();
        let json = write(ctx, |out| out.list(objects, |object, out| out.object(object.borrow(), &members)))?;
        Ok(Self { json, of: PhantomData })
    }
}

/// What is written into an answer.
fn write(ctx: &Context<'_>, write: impl FnOnce(&mut Out)) -> Result<Json, Problem> {
    let room = ctx.data_opt::<Arc<Execution>>().map_or(usize::MAX, |execution| execution.room());
    let mut out = Out { room, ..Out::default() };
    write(&mut out);
    if let Some(problem) = out.problem {
        return Err(problem);
    }
    spend(ctx, out.bytes.len())?;
    Ok(Json::from_text(String::from_utf8(out.bytes).expect("JSON is UTF-8")))
}

/// The places at which an operation selects the field that is resolved.
fn places<'a>(ctx: &Context<'a>) -> Vec<&'a Positioned<Field>> {
    let (mut path, mut node) = (Vec::new(), ctx.path_node.as_ref());
    while let Some(QueryPathNode { parent, segment }) = node {
        if let QueryPathSegment::Name(name) = segment {
            path.push(*name);
        }
        node = *parent;
    }
    let mut places = Vec::new();
    let mut sets = vec![&ctx.query_env.operation.node.selection_set.node];
    while let Some(key) = path.pop() {
        places.clear();
        while let Some(set) = sets.pop() {
            add_places(ctx, set, key, &mut places);
        }
        sets.extend(places.iter().rev().map(|field| &field.node.selection_set.node));
    }
    // Under the same name, another type of an interface may have another field.
    places.retain(|field| field.node.name.node == ctx.item.node.name.node);
    places
}

/// Adds the fields of a selection set that are answered under a name.
fn add_places<'a>(ctx: &Context<'a>, set: &'a SelectionSet, key: &str, places: &mut Vec<&'a Positioned<Field>>) {
    for selection in &set.items {
        match &selection.node {
            parser::Selection::Field(field) if field.node.response_key().node == key => places.push(field),
            parser::Selection::Field(_) => {}
            parser::Selection::InlineFragment(fragment) => {
                add_places(ctx, &fragment.node.selection_set.node, key, places);
            }
            parser::Selection::FragmentSpread(spread) => {
                if let Some(fragment) = ctx.query_env.fragments.get(&spread.node.fragment_name.node) {
                    add_places(ctx, &fragment.node.selection_set.node, key, places);
                }
            }
        }
    }
}

impl<T: Plain> OutputType for Written<T> {
    fn type_name() -> Cow<'static, str> {
        T::NAME.into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_output_type::<Self, _>(MetaTypeId::Object, |registry| MetaType::Object {
            name: T::NAME.to_owned(),
            description: Some(T::ABOUT.to_owned()),
            fields: T::members().0.iter().map(|member| member.meta(registry)).collect(),
            cache_control: CacheControl::default(),
            extends: false,
            shareable: false,
            resolvable: true,
            keys: None,
            visible: None,
            inaccessible: false,
            interface_object: false,
            tags: Vec::new(),
            is_subscription: false,
            rust_typename: Some(std::any::type_name::<Self>()),
            directive_invocations: Vec::new(),
            requires_scopes: Vec::new(),
        })
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        self.json.resolve(ctx, field).await
    }
}

impl<T: Plain> OutputType for WrittenList<T> {
    fn type_name() -> Cow<'static, str> {
        Vec::<Written<T>>::type_name()
    }

    fn qualified_type_name() -> String {
        Vec::<Written<T>>::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Vec::<Written<T>>::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        self.json.resolve(ctx, field).await
    }
}
