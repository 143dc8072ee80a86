//! A sample of a kind's setups, derived from its setup schema.

use plybook_rules::Rules;
use plybook_rules::repetition::REPETITION;
use serde_json::{Map, Value};

use super::numbers::Numbers;

/// The most setups per kind.
const SETUPS_MAX: usize = 8;

/// How many times each setup is completed, in case it draws something.
const DRAWN: u64 = 3;

/// Complete, distinct setups of a kind, the default first: for each member whose values the schema limits,
/// one setup with each of those values, unless the rules refuse it on its own.
pub(super) fn setups(rules: &dyn Rules) -> Vec<Value> {
    let mut asked = vec![Value::Object(Map::new())];
    // Generated games end by their own rules.
    for (name, member) in members(&rules.setup_schema()).into_iter().filter(|(name, _)| name != REPETITION) {
        for value in values(&member) {
            asked.push(Value::Object([(name.clone(), value)].into_iter().collect()));
        }
    }
    let mut complete = Vec::new();
    for setup in asked {
        for n in 0..DRAWN {
            let mut numbers = Numbers::new(0, rules.about().kind, n);
            let drawn = rules.complete(&setup, &mut |n| numbers.below(n));
            complete.extend(drawn.ok().filter(|drawn| !complete.contains(drawn)));
        }
    }
    // Evenly spaced, starting with the default.
    let step = complete.len().div_ceil(SETUPS_MAX);
    complete.into_iter().step_by(step).collect()
}

/// The members of a setup by name, including those that only some forms of it have.
fn members(schema: &Value) -> Vec<(String, Value)> {
    let ways = schema["oneOf"].as_array().into_iter().flatten();
    let properties = [schema].into_iter().chain(ways).filter_map(|way| way["properties"].as_object());
    properties.flatten().map(|(name, member)| (name.clone(), member.clone())).collect()
}

/// Sample values for a member.
fn values(member: &Value) -> Vec<Value> {
    if let Some(ways) = member["anyOf"].as_array() {
        return ways.iter().flat_map(values).collect();
    }
    match member["type"].as_str() {
        _ if member["enum"].is_array() => member["enum"].as_array().cloned().unwrap_or_default(),
        Some("boolean") => vec![false.into(), true.into()],
        Some("integer") => whole_numbers(member),
        Some("array") => lists(member),
        _ => Vec::new(),
    }
}

/// Whole numbers within the bounds, ascending.
fn whole_numbers(member: &Value) -> Vec<Value> {
    let (Some(least), Some(most)) = (member["minimum"].as_i64(), member["maximum"].as_i64()) else { return Vec::new() };
    (least..=most).take(12).map(Value::from).collect()
}

/// Sample lists. Of constants: one list for each, and one with all. Of whole numbers: lists of the minimum
/// length, filled with the smallest or the middle number, and one of the maximum length with several numbers.
fn lists(member: &Value) -> Vec<Value> {
    let items = &member["items"];
    let constants = items["oneOf"].as_array().into_iter().flatten().filter_map(|item| item.get("const"));
    let constants: Vec<Value> = constants.cloned().collect();
    if !constants.is_empty() {
        let each = constants.iter().map(|item| Value::Array(vec![item.clone()]));
        return each.chain([Value::Array(constants.clone())]).collect();
    }
    let numbers = whole_numbers(items);
    let length = member["minItems"].as_u64().unwrap_or(1) as usize;
    let picked = [0, numbers.len() / 2].into_iter().filter_map(|index| numbers.get(index));
    let mut lists: Vec<Value> = picked.map(|number| Value::Array(vec![number.clone(); length])).collect();
    lists.dedup();
    if let (Some(most), false) = (member["maxItems"].as_u64(), numbers.is_empty()) {
        lists.push(numbers.iter().cycle().take(most as usize).cloned().collect());
    }
    lists
}

#[cfg(test)]
mod tests {
    use plybook_rules::kinds;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_that_has_more_than_one_setup_is_set_up_in_several_ways() {
        for rules in kinds() {
            let found = setups(*rules);
            let default = rules.complete(&json!({}), &mut |_| 0).unwrap();
            assert_eq!(found[0].as_object().unwrap().len(), default.as_object().unwrap().len());
            assert_eq!(found.len() > 1, members(&rules.setup_schema()).len() > 1, "{}", rules.about().kind);
            assert!(found.len() <= SETUPS_MAX);
            for setup in &found {
                assert!(rules.start(setup).is_ok(), "{setup}");
            }
        }
    }
}
