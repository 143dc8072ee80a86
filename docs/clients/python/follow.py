"""Prints the events of all games as they are recorded, by long polls: `follow.py http://127.0.0.1:8080`."""

import http.client, json, sys, time, urllib.request

service, cursor = sys.argv[1], None
while True:
    try:
        after = f"&after={cursor}" if cursor else ""
        with urllib.request.urlopen(f"{service}/changes.ndjson?wait=30{after}", timeout=60) as lines:
            for line in map(json.loads, lines):
                if "event" in line:
                    print(line["event"]["game"], line["event"]["seq"], line["event"]["type"], flush=True)
                cursor = line["cursor"]
    except (OSError, ValueError, http.client.HTTPException) as why:
        print(why, file=sys.stderr)
        time.sleep(1)
