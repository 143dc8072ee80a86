//! Several setups of a kind, found from the schema of its setup.

use plybook_rules::Rules;
use serde_json::{Map, Value};

use super::numbers::Numbers;

/// The most setups of a kind.
const SETUPS_MAX: usize = 8;

/// Setups that draw something are drawn so often.
const DRAWN: u64 = 3;

/// Complete setups of a kind, each once, the default first: one with each value of each member that
/// the schema lists the values of, as far as it may stand alone.
pub(super) fn setups(rules: &dyn Rules) -> Vec<Value> {
    let mut asked = vec![Value::Object(Map::new())];
    for (name, member) in members(&rules.setup_schema()) {
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
    // Those of the default come first; of the others every so many.
    let step = complete.len().div_ceil(SETUPS_MAX);
    complete.into_iter().step_by(step).collect()
}

/// The members of a setup by name, whatever else has to be there with them.
fn members(schema: &Value) -> Vec<(String, Value)> {
    let ways = schema["oneOf"].as_array().into_iter().flatten();
    let properties = [schema].into_iter().chain(ways).filter_map(|way| way["properties"].as_object());
    properties.flatten().map(|(name, member)| (name.clone(), member.clone())).collect()
}

/// Some values that a member may have.
fn values(member: &Value) -> Vec<Value> {
    if let Some(values) = member["enum"].as_array() {
        return values.clone();
    }
    if let (Some(least), Some(most)) = (member["minimum"].as_i64(), member["maximum"].as_i64()) {
        return (least..=most).take(12).map(Value::from).collect();
    }
    let items = member["items"]["oneOf"].as_array().into_iter().flatten();
    let items: Vec<Value> = items.filter_map(|item| item.get("const")).cloned().collect();
    let each = items.iter().map(|item| Value::Array(vec![item.clone()]));
    each.chain((!items.is_empty()).then(|| Value::Array(items.clone()))).collect()
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
            assert_eq!(found.len() > 1, !members(&rules.setup_schema()).is_empty(), "{}", rules.about().kind);
            assert!(found.len() <= SETUPS_MAX);
            for setup in &found {
                assert!(rules.start(setup).is_ok(), "{setup}");
            }
        }
    }
}
