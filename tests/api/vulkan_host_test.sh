#!/bin/sh
# vulkan_host_test.sh HOST TEXLATE: draws with the host of docs/examples/vulkan_host and compares the picture. With Vulkan's validation layer, if
# that is installed, there must be no message. Exit status 77: there is no Vulkan device.
set -u
host=$1 texlate=$2
example=docs/examples/vulkan_host
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for shader in sprite_vs sprite_ps; do
  "$texlate" translate "$example/$shader.asm" -o "$work/$shader.dxbc" || exit 1
done
for folder in /usr/share/vulkan /usr/local/share/vulkan /etc/vulkan; do
  if [ -e "$folder/explicit_layer.d/VkLayer_khronos_validation.json" ]; then
    export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
  fi
done
"$host" "$work/sprite_vs.dxbc" "$work/sprite_ps.dxbc" "$work/picture.ppm" > "$work/messages" 2>&1
status=$?
cat "$work/messages"
[ "$status" = 0 ] || exit "$status"
if grep -q 'VUID\|Validation Error' "$work/messages"; then
  echo "the validation layer has messages"
  exit 1
fi
[ -z "${TEXLATE_UPDATE_GOLDENS:-}" ] || cp "$work/picture.ppm" "$example/picture.ppm"
cmp "$work/picture.ppm" "$example/picture.ppm"
