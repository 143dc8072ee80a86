//! `bench`.

use serde_json::Value;

use crate::plybook::run;

#[test]
fn stores_are_made_measured_and_compared() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("stores");
    let told = run(&["bench", "--games", "60,120", "--json", "--data", data.to_str().unwrap()]).ok();
    let told: Value = serde_json::from_str(&told).unwrap();
    assert!(told["machine"]["cores"].as_u64().unwrap() > 0);
    let stores = told["stores"].as_array().unwrap();
    assert_eq!(stores.len(), 2);
    for (store, games) in stores.iter().zip([60, 120]) {
        assert_eq!(store["games"], games);
        let figures = store["figures"].as_array().unwrap();
        let figure =
            |what: &str| figures.iter().find(|figure| figure["what"] == what).unwrap()["value"].as_f64().unwrap();
        assert!(figure("events") > 30.0 * games as f64 && figure("all read models rebuilt") > 0.0);
        for times in store["times"].as_array().unwrap() {
            assert_eq!(times["asked"], 500, "{times}");
            assert!(
                times["bytes"].as_u64().unwrap() > 100 && times["p50"].as_f64() <= times["p99"].as_f64(),
                "{times}"
            );
        }
    }
    let ratios = told["ratios"].as_array().unwrap();
    assert_eq!(ratios.len(), stores[0]["times"].as_array().unwrap().len());
    // What was kept is a data directory like any other, and is measured as it is.
    let store = data.join("60");
    let store = store.to_str().unwrap();
    assert!(run(&["verify", "--data", store]).ok().starts_with("260 logs with "));
    let again = run(&["bench", "--games", "60", "--only-fill", "--data", store]).ok();
    assert!(again.contains("| 60 | events, generated before |"), "{again}");
    let why = run(&["bench", "--games", "60", "--seed", "2", "--only-fill", "--data", store]).fails(1);
    assert!(why.contains("holds something else"), "{why}");
}
