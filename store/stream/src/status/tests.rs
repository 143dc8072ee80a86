use serde_json::json;

use super::*;

#[test]
fn the_leader_is_first_and_who_lags_is_told() {
    let info = json!({
        "state": {"messages": 7, "bytes": 900, "last_ts": "2026-11-26T01:02:03Z"},
        "cluster": {"leader": "n1", "replicas": [
            {"name": "n0", "current": true, "active": 12},
            {"name": "n2", "current": false, "offline": true, "lag": 5},
        ]},
    });
    let status = StreamStatus::read(&info, 30);
    let servers: Vec<_> =
        status.servers.iter().map(|s| (s.name.as_str(), s.is_leader, s.is_online, s.is_current, s.lag)).collect();
    assert_eq!(servers, [("n1", true, true, true, 0), ("n0", false, true, true, 0), ("n2", false, false, false, 5)]);
    assert_eq!((status.events, status.messages, status.bytes), (30, 7, 900));
    let alone = StreamStatus::read(&json!({"state": {"messages": 0, "last_ts": "0001-01-01T00:00:00Z"}}), 0);
    assert_eq!((alone.servers.len(), alone.last_at), (1, None));
}
