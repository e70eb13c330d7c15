#!/usr/bin/env bash
# demos_test.sh LIBTEXLATE_VKD3D FROZEN_CLOCK WORK PICTURES: runs Debian's vkd3d-gears and vkd3d-triangle under Xvfb, with vkd3d
# alone and with texlate in front of it. Both must draw the same pixels, those of PICTURES/vkd3d-*.png, and texlate must translate
# every shader; Vulkan's validation layer, if it is installed, must have no messages. Exit status 77: a Debian package is not installed (apt-get install vkd3d-demos xvfb x11-apps imagemagick).
# TEXLATE_REFRESH_GOLDEN=1 rewrites the pictures.
set -euo pipefail
shim=$1 clock=$2 work=$3 pictures=$4
for program in Xvfb xwd convert compare vkd3d-gears vkd3d-triangle; do
  command -v $program > /dev/null || { echo "skipped: there is no $program"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work"
fail() { echo "demos_test: $*" >&2; exit 1; }

Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3> "$work/display" > "$work/xvfb.log" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null || true; wait 2> /dev/null || true' EXIT
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
[ -s "$work/display" ] || { echo "skipped: Xvfb does not start"; exit 77; }
DISPLAY=:$(cat "$work/display")
export DISPLAY

shoot() { # shoot OUT.png SIZE: saves the window once it shows something and no longer changes
  local before=none now
  for _ in $(seq 200); do
    xwd -root -silent -out "$work/screen.xwd"
    now=$(convert xwd:"$work/screen.xwd" -format '%k %#' info:)
    if [ "${now%% *}" != 1 ] && [ "$now" = "$before" ]; then
      convert xwd:"$work/screen.xwd" -crop "$2+0+0" +repage -strip -define png:exclude-chunk=time,date "$1"
      return 0
    fi
    before=$now
    sleep 0.1
  done
  return 1
}

layer= # the validation layer, if it is installed
[ ! -e /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json ] || layer=VK_LAYER_KHRONOS_validation

declare -A size=([gears]=300x300 [triangle]=640x480) # the sizes of their windows
draw() { # draw DEMO OUT.png LIBRARY...: saves what the demo draws with these libraries preloaded
  local demo=$1 out=$2
  shift 2
  LD_PRELOAD="$*" TEXLATE_VKD3D_LOG=$out.log VK_INSTANCE_LAYERS=$layer "vkd3d-$demo" > "$out.out" 2>&1 &
  local client=$!
  local good=0
  shoot "$out" "${size[$demo]}" || good=1
  kill $client 2> /dev/null || true
  wait $client 2> /dev/null || true
  return $good
}

for demo in gears triangle; do
  draw $demo "$work/$demo-vkd3d.png" "$clock" ||
    { cat "$work/$demo-vkd3d.png.out"; echo "skipped: vkd3d-$demo draws nothing here"; exit 77; }
  draw $demo "$work/$demo-texlate.png" "$clock" "$shim" ||
    { cat "$work/$demo-texlate.png.out"; fail "vkd3d-$demo draws nothing with texlate"; }
  log=$work/$demo-texlate.png.log
  [ -e "$log" ] || fail "$shim was not loaded"
  grep -q ' served: vs_5_0, ' "$log" && grep -q ' served: ps_5_0, ' "$log" ||
    { cat "$log"; fail "the shaders of vkd3d-$demo did not go through texlate"; }
  ! grep -v ' served: ' "$log" || fail "not every shader of vkd3d-$demo went through texlate"
  ! grep 'VUID\|Validation Error' "$work/$demo-texlate.png.out" || fail "vkd3d-$demo: the validation layer has messages"
  [ ! -e "$work/$demo-vkd3d.png.log" ] || fail "texlate was loaded although it was not preloaded"
  different=$(compare -metric AE "$work/$demo-vkd3d.png" "$work/$demo-texlate.png" null: 2>&1 || true)
  [ "$different" = 0 ] || fail "vkd3d-$demo: $different pixels differ"
  if [ -n "${TEXLATE_REFRESH_GOLDEN:-}" ]; then
    mkdir -p "$pictures" && cp "$work/$demo-texlate.png" "$pictures/vkd3d-$demo.png"
  fi
  # A driver other than the one that drew the picture may round edges differently.
  different=$(compare -metric AE -fuzz 2% "$pictures/vkd3d-$demo.png" "$work/$demo-texlate.png" null: 2>&1 || true)
  [ "$different" -lt 500 ] || fail "vkd3d-$demo is not the picture in the documentation: $different pixels differ"
  echo "vkd3d-$demo: equal pixels by vkd3d and by texlate, $(tail -n 1 "$log" | sed 's/\].*/]/')"
done
