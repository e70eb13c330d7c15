// main() of all tests. Reports *skipped* to ctest (SKIP_RETURN_CODE in tests/CMakeLists.txt) if every
// requested test skipped itself, because the corpus, a device or NVIDIA's tools are missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  testing::InitGoogleMock(&argc, argv);
  const int status = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  const bool none_ran = tests.skipped_test_count() != 0 && tests.successful_test_count() == 0;
  return status == 0 && none_ran ? kSkipped : status;
}
