"""Writes the memories of each scene for neighbours.ts: lines of `{scene, memories}`."""

import argparse
import json
from pathlib import Path

from pairs import read_scenes

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--scenes", type=Path, required=True)
parser.add_argument("--out", type=Path, required=True)
args = parser.parse_args()

with args.out.open("w") as out:
    for file in sorted(args.scenes.glob("*.txt")):
        for at, scene in enumerate(read_scenes(file)):
            out.write(json.dumps({"scene": f"{file.stem}/{at}", "memories": scene.memories}) + "\n")
