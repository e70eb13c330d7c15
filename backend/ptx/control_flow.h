// Structured control flow to branches and labels, and the masks of the lanes on each path (path_masks.h).
#pragma once

#include "backend/ptx/path_masks.h"
#include "backend/ptx/records.h"

namespace texlate::ptx {

class ControlFlow : private Writer {
 public:
  ControlFlow(Core& core, Records& records);

  void emit(const Instruction& instruction);

  bool has_masks() const { return paths_.needed(); }
  /// Do jumps pass stops? Then %pending says where they go.
  bool has_pending() const { return needs_pending_; }
  /// Does only a part of the lanes reach the current instruction?
  bool is_partial() const { return paths_.is_partial(core_.current); }
  /// Those on its path.
  Mask lanes() const { return path_.mask; }

 private:
  /// The register with the lanes of the current path. Not tracked if nothing needs it before the path ends.
  struct Path {
    Mask mask = {0};
    bool tracked = false;
  };
  enum class Arms : uint8_t { apart, first_goes_on, second_goes_on };
  /// What the code of a construct needs in addition to its place in the tree.
  struct Flow {
    uint32_t fields = 0;  // how many fields are known outside
    Label begin = {0}, otherwise = {0}, finish = {0};
    uint32_t next_label = 0, next_arm = 0;  // of a switch
    // path_masks.cpp
    Path outside = {};
    Arms arms = Arms::apart;
    bool first_has = false, second_has = false;  // whether the arms have exchanges that need their masks
    bool voted = false;
    Mask ballot = {0};                      // the mask inside
    bool counts_again = false;              // lanes that jump out are counted at the end
    bool counts_turns = false;              // loop: at the end of each iteration
    Mask turn = {0};                        // the lanes that started the iteration
    Label latch = {0};                      // the end of an iteration
    uint8_t end_jumps = 0, turn_jumps = 0;  // jumps that pass the end or the latch, as bits
    bool pending_break = false;             // a break reaches the end with its jump pending
    uint32_t first_arm_mask = 0;            // switch: ballots of the arms
  };
  struct SwitchArm {
    TempPred matches = {0};
    bool voted = false;  // some case leads here
    bool is_default = false;
  };

  // A construct is its number in structure_.
  void emit_if(uint32_t construct);
  void emit_else(uint32_t construct);
  void open_loop(uint32_t construct);
  void emit_endloop(uint32_t construct);
  void emit_jump(const Instruction& instruction, Jump kind);
  void emit_switch(uint32_t construct);
  void emit_case_label(uint32_t construct);
  void move_all(std::span<const Value> sources, Value first_destination, uint32_t count);
  void move(Value destination, Value source);
  void branch_if(TempPred condition, Label target) { line('@', condition, " bra ", target); }
  /// Does control reach the end of the region that ends here?
  bool is_end_reached() const { return !ir::info(module_.code[core_.current - 1].op).has(ir::kTerminator); }

  // path_masks.cpp
  struct Stop {
    Label label;
    bool counts;  // lanes are counted there: the jump must be pending
  };
  bool parts_lanes(uint32_t construct) const;
  bool counts_again_at_end(uint32_t construct) const;
  void vote_for_arms(uint32_t construct, Value condition);
  void enter_first_arm(uint32_t construct);
  void enter_second_arm(uint32_t construct);
  void open_loop_masks(uint32_t construct);
  void end_turn(uint32_t construct);
  void vote_for_cases(uint32_t construct, std::span<const SwitchArm> arms);
  void enter_case(uint32_t construct, uint32_t arm);
  void close_masks(uint32_t construct);
  void go_on(uint32_t construct, uint8_t jumps, bool from_turn);
  Label leave_turn(uint32_t construct, Jump jump);
  Stop next_stop(uint32_t construct, Jump jump, bool pending);
  void jump(Jump jump);

  Records& records_;
  ir::Structure structure_;
  std::pmr::vector<Flow> flows_;  // by construct
  PathMasks paths_;
  Path path_;
  std::pmr::vector<uint32_t> copy_stamp_;  // by value: scratch of move_all
  uint32_t stamp_ = 0;
  bool needs_pending_ = false;
};

}  // namespace texlate::ptx
