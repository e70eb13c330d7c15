#!/usr/bin/env bash
# The page of texlate view: self-contained, its data, and, if there is a browser, what it shows and what a click does
# (chromium: tools/setup.sh playground).
set -u
. "$(dirname "$0")/checks.sh"

page=$work/page.html
# The page's data, by a Python expression over `data` that must be true.
holds() {  # NAME EXPRESSION
  python3 - "$page" "$2" <<'PY' || { echo "FAILED $1: $2"; failed=1; }
import json, re, sys
text = open(sys.argv[1]).read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))
translation, run = data["translation"], data.get("run")
pane = {one["id"]: one for one in translation["panes"]}
linked = lambda name, line: [row for row, source in zip(pane[name]["text"].split("\n"), pane[name]["lines"]) if source == line]
sys.exit(not eval(sys.argv[2]))
PY
}

check page 0 "$texlate" view shaders/ld_edges.asm --scene shaders/scenes/ld_edges.json --pixel 3,4 -o "$page"
holds page 'translation["summary"] == "pixel shader, model 5.0" and set(pane) == {"ir", "ptx-ir", "ptx", "maxwell-ir", "maxwell", "spirv-text-ir", "spirv-text"}'
holds page 'all(len(one["text"].split("\n")) == len(one["lines"]) for one in pane.values())'
holds page 'any("tex.level" in row for row in linked("ptx", 14)) and any("OpImageFetch" in row for row in linked("spirv-text", 14))'
holds page 'any(gap["line"] == 14 and gap["pane"] == "ptx" and gap["document"] == "PTX ISA 9.7.10.3 tex" for gap in translation["gaps"])'
holds page '[one["label"] for one in run["pictures"]] == ["ir", "ptx", "maxwell", "ir - ptx, x16", "ir - maxwell, x16"]'
holds page 'all(one["png"].startswith("iVBOR") for one in run["pictures"]) and all(one["good"] for one in run["verdicts"])'
holds page 'run["verdicts"][0]["text"] == "ir and ptx: 0 of 6400 differ"'
holds page 'data["traces"][0]["at"] == [3, 4] and ["r1.xyzw", "0, 0, 0, 0"] in [write for line in data["traces"][0]["lines"] for write in line["writes"]]'
if grep -qE '(src|href)="(http|/|[a-z]+\.)|@import|OpLine|@[A-Z]+@' "$page"; then echo "FAILED page: it needs something else, has an open mark, or shows OpLine"; failed=1; fi

# Without a scene the routes run on the default one. For a container, lines are those of its listing. IR text is also a source. The page shows why a target
# refuses a shader.
"$texlate" assemble shaders/blur3x3.asm -o "$work/blur.dxbc"
check container 0 "$texlate" view "$work/blur.dxbc" -o "$page"
holds container 'translation["was_container"] and "ld_aoffimmi_indexable" in translation["text"] and "verdicts" in run'
check ir 0 "$texlate" view tests/cases/fold.ir -o "$page"
holds ir 'translation["is_ir"] and "ptx" in pane and run is None'
cat > "$work/status.asm" <<'ASM'
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 2
ld_s_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.x, l(0,0,0,0), t0.xyzw
mov o0.xyzw, r1.xxxx
ret // </script><script>alert(1)
ASM
check refused 0 "$texlate" view "$work/status.asm" --sm 50 -o "$page"
holds refused 'pane["ptx"]["failure"][0]["line"] == 6 and "residency feedback before sm_60" in pane["ptx"]["failure"][0]["message"]'
holds refused 'not any(gap["pane"] == "ptx" for gap in translation["gaps"]) and text.count("</script>") == 4'
check suffix 2 "$texlate" view shaders/ld_edges.asm -o "$work/page.pdf"
check pixel-outside 2 "$texlate" view shaders/ld_edges.asm --pixel 64,0 -o "$page"
contains pixel-outside err "--pixel: (64, 0) is outside the viewport of 64 x 64"
check pixel-form 2 "$texlate" view shaders/ld_edges.asm --pixel 3 -o "$page"
contains pixel-form err "--pixel: '3' is not of the form X,Y"
check robustness-of-ptx 2 "$texlate" view shaders/ld_edges.asm --to ptx --robustness shader -o "$page"
contains robustness-of-ptx err "--robustness needs --to spirv-text, or --via vulkan"
check no-playground 1 "$texlate" view shaders/ld_edges.asm --playground shaders/ld_edges.asm -o "$page"
contains no-playground err "this is not the playground"

# In the browser: the address selects a line, all shown panes highlight it, and the theme is the requested one.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -n "$browser" ]; then
  "$texlate" view shaders/ld_edges.asm --pixel 3,4 -o "$page"
  dom() {  # ADDRESS
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --window-size=1366,768 --user-data-dir="$work/profile" --virtual-time-budget=2000 \
      --dump-dom "file://$page$1" > "$work/out" 2> "$work/err"
  }
  dom '?theme=dark#L14'
  contains browser out 'data-theme="dark"'
  contains browser out '<div class="l pin" data-n="14" data-l="14"><s>14</s><u class="mark"'
  contains browser out '<div class="step pin" tabindex="-1" data-line="14">'
  rows=$(grep -c 'class="l' "$work/out")
  [ "$rows" -lt 300 ] || { echo "FAILED browser: $rows rows are elements"; failed=1; }

  # Pointing, clicking, keys and buttons, by a script that acts like a user.
  cat > "$work/probe.js" <<'JS'
const said = [];
const lit = name => new Set([...document.querySelectorAll('.l.' + name)].map(one => one.dataset.l));
const key = name => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true}));
const box = panes.get('ptx').listing;
keep(14, null);
said.push('pin ' + [...lit('pin')] + location.hash);
key('ArrowDown');
said.push('next ' + [...lit('pin')]);
key('Escape');
said.push('free ' + lit('pin').size + '[' + location.hash + ']');
showPane('guards', true);
said.push('guards ' + panes.get('guards').body.textContent.includes('PTX ISA'));
document.querySelector('[data-pane="spirv-text"]').click();
said.push('shown ' + !$('spirv-text').hidden + ' ' + document.querySelector('[data-pane="spirv-text"]').getAttribute('aria-pressed'));
const mark = document.querySelector('#ptx .mark');
mark.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: mark.getBoundingClientRect().x + 2, clientY: mark.getBoundingClientRect().y + 2}));
said.push('explained ' + !$('pop').hidden);
const before = $('source').clientWidth;
moveSplit(visiblePanes()[1], 40);
said.push('wider ' + ($('source').clientWidth > before));
const shot = document.querySelector('.shot');
choosePixel(5, 5);
said.push('trace ' + $('steps').textContent.includes('texlate trace'));
$('theme').click();
said.push('theme ' + document.documentElement.dataset.theme);
const result = document.createElement('p');
result.textContent = 'probe: ' + said.join('; ') + '.';
document.body.append(result);
JS
  python3 - "$page" "$work/probe.js" <<'PY'
import sys
page, probe = (open(name).read() for name in sys.argv[1:])
open(sys.argv[1], "w").write(page.replace("</body>", "<script>addEventListener('DOMContentLoaded', () => {" + probe + "})</script></body>"))
PY
  dom '?theme=light'
  contains browser-probe out 'probe: pin 14#L14; next 15; free 0[]; guards true; shown true true; explained true; wider true; trace true; theme dark.'
else
  echo "the browser's part is skipped: no chromium on this machine"
fi
finish
