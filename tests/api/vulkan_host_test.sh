#!/bin/sh
# vulkan_host_test.sh HOST TEXLATE: draws with the host of docs/examples/vulkan_host and compares the picture, first with the shaders of the
# example, then with those of games, if they are there (docs/conventions.md). With Vulkan's validation layer, if that is installed, there must
# be no message. Exit status 77: there is no Vulkan device.
set -u
host=$1 texlate=$2
example=docs/examples/vulkan_host
games=../shared/corpus/games
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in /usr/share/vulkan /usr/local/share/vulkan /etc/vulkan; do
  if [ -e "$folder/explicit_layer.d/VkLayer_khronos_validation.json" ]; then
    export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
  fi
done

draw() { # draw VERTEX_SHADER PIXEL_SHADER: writes containers of these listings and draws with them
  "$texlate" translate "$1" -o "$work/vs.dxbc" && "$texlate" translate "$2" -o "$work/ps.dxbc" || exit 1
  "$host" "$work/vs.dxbc" "$work/ps.dxbc" "$work/picture.ppm" > "$work/messages" 2>&1
  status=$?
  cat "$work/messages"
  [ "$status" = 0 ] || exit "$status"
  if grep -q 'VUID\|Validation Error' "$work/messages"; then
    echo "the validation layer has messages"
    exit 1
  fi
  [ -z "${TEXLATE_UPDATE_GOLDENS:-}" ] || cp "$work/picture.ppm" "$example/picture.ppm"
  cmp "$work/picture.ppm" "$example/picture.ppm" || exit 1
}

draw "$example/sprite_vs.asm" "$example/sprite_ps.asm"
# A textured square of a menu: the same picture, because what is transparent is black.
if [ -d "$games" ]; then
  draw "$games/TheLongDark_DX11__1_vs_4_0.asm" "$games/CoD_Ghosts__2_ps_5_0.asm"
  echo "drawn with the shaders of games"
fi
