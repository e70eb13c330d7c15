#!/usr/bin/env bash
# The page of texlate view: self-contained, lines linked, gaps with their documents, pictures; and, if there is a browser, the effect of a click
# (chromium: apt-get install chromium).
set -u
. "$(dirname "$0")/checks.sh"

page=$work/page.html
check page 0 "$texlate" view shaders/ld_edges.asm --scene shaders/scenes/ld_edges.json -o "$page"
cp "$page" "$work/out"
contains page out '<div class="l" data-l="14"><s>14</s><u title="8 closed gaps">8</u><code><b>ld_aoffimmi_indexable</b>(-8,0,0)'
contains page out 'id="ptx-ir"'
contains page out '(not promised by PTX ISA 9.7.10.3 tex)'
contains page out '<img alt="maxwell" src="data:image/png;base64,iVBOR'
contains page out 'ir and ptx: 0 of 6400 differ'
contains page out '<b>OpImageFetch</b>'
if grep -qE '(src|href)="(http|/|[a-z]+\.)|@import|fetch\(|OpLine' "$page"; then echo "FAILED page: it needs something else, or shows OpLine"; failed=1; fi
python3 - "$page" <<'PY' || { echo "FAILED page: no well-formed HTML"; failed=1; }
import html.parser, sys
class Parser(html.parser.HTMLParser):
    open_tags = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "img", "br"): self.open_tags.append(tag)
    def handle_endtag(self, tag):
        assert self.open_tags.pop() == tag, (tag, self.getpos())
parser = Parser()
parser.feed(open(sys.argv[1]).read())
assert not parser.open_tags, parser.open_tags
PY

# For a container, lines are those of its listing. IR text is also a source. The page shows why a target refuses a shader.
"$texlate" assemble shaders/blur3x3.asm -o "$work/blur.dxbc"
check container 0 "$texlate" view "$work/blur.dxbc" -o "$page"
grep -q '<b>ld_aoffimmi_indexable</b>' "$page" || { echo "FAILED container: no listing"; failed=1; }
check ir 0 "$texlate" view tests/cases/fold.ir
contains ir out '<h2>IR text'
cat > "$work/status.asm" <<'ASM'
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 2
ld_s_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.x, l(0,0,0,0), t0.xyzw
mov o0.xyzw, r1.xxxx
ret
ASM
check refused 0 "$texlate" view "$work/status.asm" --sm 50
contains refused out '<p class="failure">line 6: residency feedback before sm_60 cannot be expressed on ptx</p>'
check suffix 2 "$texlate" view shaders/ld_edges.asm -o "$work/page.pdf"
check via-without-scene 2 "$texlate" view shaders/ld_edges.asm --via ir -o "$page"
check budget-without-scene 2 "$texlate" view shaders/ld_edges.asm --budget 1000 -o "$page"
contains budget-without-scene err "--budget needs --scene"
check robustness-of-ptx 2 "$texlate" view shaders/ld_edges.asm --to ptx --robustness shader -o "$page"
contains robustness-of-ptx err "--robustness needs --to spirv-text, or --scene and --via vulkan"

# In the browser: the address selects a line, all panes highlight it, and the theme is the requested one.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -n "$browser" ]; then
  "$texlate" view shaders/ld_edges.asm -o "$page"
  dom() {  # ADDRESS
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --virtual-time-budget=2000 \
      --dump-dom "file://$page$1" > "$work/out" 2> "$work/err"
  }
  dom '?theme=dark#L14'
  contains browser out 'data-theme="dark"'
  contains browser out '<div class="l pin" data-l="14"><s>14</s>'
  python3 - "$work/out" <<'PY' || { echo "FAILED browser: what is lit"; failed=1; }
import re, sys
text = open(sys.argv[1]).read()
panes = dict(re.findall(r'<section class="pane" id="([^"]*)"[^>]*>(.*?)</section>', text, re.S))
lit = {name: set(re.findall(r'class="(?:l|gap) pin" data-l="(\d+)"', body)) for name, body in panes.items()}
assert all(lines == {"14"} for lines in lit.values()), lit
assert {"source", "ir", "ptx-ir", "ptx", "maxwell", "spirv-text", "gaps"} <= set(lit), lit
PY
  dom '?theme=light'
  contains browser-light out 'data-theme="light"'
  if grep -q ' pin"' "$work/out"; then echo "FAILED browser-light: a line is lit that nobody chose"; failed=1; fi

  # Pointing, clicking, keys and buttons, by a script that acts like a user.
  cat > "$work/probe.js" <<'JS'
const said = [];
const lit = name => new Set([...document.querySelectorAll('.' + name)].map(one => one.dataset.l));
const one = document.querySelector('#ptx [data-l="14"]');
const point = at => at.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
const key = name => document.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true}));
point(one);
said.push('hot ' + [...lit('hot')] + ' in source: ' + document.querySelector('#source [data-l="14"]').classList.contains('hot'));
point(document.querySelector('footer'));
said.push('away ' + lit('hot').size);
one.click();
said.push('pin ' + [...lit('pin')] + location.hash);
key('ArrowDown');
said.push('next ' + [...lit('pin')]);
key('Escape');
said.push('free ' + lit('pin').size + '[' + location.hash + ']');
const button = document.querySelector('[data-pane="spirv-text"]');
const pane = document.getElementById('spirv-text');
said.push('hidden ' + pane.hidden);
button.click();
said.push('shown ' + !pane.hidden + ' ' + button.getAttribute('aria-pressed'));
document.getElementById('theme').click();
said.push('theme ' + document.documentElement.dataset.theme);
const result = document.createElement('p');
result.textContent = 'probe: ' + said.join('; ') + '.';
document.body.append(result);
JS
  python3 - "$page" "$work/probe.js" <<'PY'
import sys
page, probe = (open(name).read() for name in sys.argv[1:])
open(sys.argv[1], "w").write(page.replace("</body>", "<script>" + probe + "</script></body>"))
PY
  dom '?theme=light'
  contains browser-probe out 'probe: hot 14 in source: true; away 0; pin 14#L14; next 15; free 0[]; hidden true; shown true true; theme dark.'
else
  echo "the browser's part is skipped: no chromium on this machine"
fi
finish
