"""What a SPIR-V module declares: stage, descriptors, inputs and outputs. Read from its words by the SPIR-V specification."""
import struct

STAGES = {0: "vertex", 4: "pixel", 5: "compute"}  # execution models; others are left out
INPUT, OUTPUT, UNIFORM_CONSTANT, UNIFORM, STORAGE_BUFFER = 1, 3, 0, 2, 12
BLOCK, BUFFER_BLOCK, BUILT_IN, LOCATION, COMPONENT, BINDING, SET = 2, 3, 11, 30, 31, 33, 34
# VkDescriptorType
SAMPLER, COMBINED, SAMPLED_IMAGE, STORAGE_IMAGE, UNIFORM_TEXELS, STORAGE_TEXELS, UNIFORM_BLOCK, STORAGE_BLOCK = range(8)
UNBOUNDED = 64  # descriptors of an array without a size


class Module:
    def __init__(self, path):
        data = path.read_bytes()
        words = struct.unpack(f"<{len(data) // 4}I", data)
        self.stage, self.decorations, self.types, self.constants, self.variables = None, {}, {}, {}, []
        at = 5
        while at < len(words):
            length, operands = words[at] >> 16, words[at + 1 : at + (words[at] >> 16)]
            self.read(words[at] & 0xFFFF, operands)
            at += length

    def read(self, opcode, operands):
        if opcode == 15 and self.stage is None:  # OpEntryPoint
            self.stage = STAGES.get(operands[0])
        elif opcode == 71:  # OpDecorate
            self.decorations.setdefault(operands[0], {})[operands[1]] = operands[2:]
        elif 19 <= opcode <= 33:  # OpTypeVoid to OpTypeFunction
            self.types[operands[0]] = (opcode, operands[1:])
        elif opcode in (43, 50):  # OpConstant, OpSpecConstant
            self.constants[operands[1]] = operands[2]
        elif opcode == 59:  # OpVariable
            self.variables.append((operands[1], self.types[operands[0]][1][1], operands[2]))

    def descriptors(self):
        """{(set, binding): (VkDescriptorType, count)}"""
        found = {}
        for variable, kind, storage in self.variables:
            decorations = self.decorations.get(variable, {})
            if storage in (UNIFORM_CONSTANT, UNIFORM, STORAGE_BUFFER) and SET in decorations:
                found[decorations[SET][0], decorations[BINDING][0]] = self.descriptor(kind, storage)
        return found

    def descriptor(self, kind, storage):
        count = 1
        opcode, operands = self.types[kind]
        while opcode in (28, 29):  # OpTypeArray, OpTypeRuntimeArray
            count *= self.constants[operands[1]] if opcode == 28 else UNBOUNDED
            kind = operands[0]
            opcode, operands = self.types[kind]
        if opcode == 26:
            return SAMPLER, count
        if opcode == 27:
            return COMBINED, count
        if opcode == 25:  # OpTypeImage: dimension 5 is a buffer
            is_buffer, is_sampled = operands[1] == 5, operands[5] == 1
            texels = UNIFORM_TEXELS if is_sampled else STORAGE_TEXELS
            return (texels if is_buffer else SAMPLED_IMAGE if is_sampled else STORAGE_IMAGE), count
        is_written = storage == STORAGE_BUFFER or BUFFER_BLOCK in self.decorations.get(kind, {})
        return (STORAGE_BLOCK if is_written else UNIFORM_BLOCK), count

    def variables_of(self, storage):
        """[(location, component, number of components, 'f', 'i' or 'u')] of inputs or outputs that are not built in"""
        found = []
        for variable, kind, where in self.variables:
            decorations = self.decorations.get(variable, {})
            if where != storage or LOCATION not in decorations:
                continue
            rows, (opcode, operands) = 1, self.types[kind]
            if opcode == 28:
                rows, (opcode, operands) = self.constants[operands[1]], self.types[operands[0]]
            components = 1
            if opcode == 23:  # OpTypeVector
                components, (opcode, operands) = operands[1], self.types[operands[0]]
            letter = "f" if opcode == 22 else "i" if operands[1] else "u"
            component = decorations.get(COMPONENT, (0,))[0]
            found += [(decorations[LOCATION][0] + row, component, components, letter) for row in range(rows)]
        return sorted(found)
