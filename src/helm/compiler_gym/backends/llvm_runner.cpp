// Runs passes as LLVMRunPasses does, and returns what LLVM-C drops: whether a pass says that it changed the module.
//
// A runner also keeps what LLVMRunPasses makes anew for each call: the pass builder and the tables of analyses. No result
// of an analysis outlives a call, since passes decide by what is cached, and a fork of a session has nothing cached.

#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace {

enum Answer { Refused = -1, Unchanged = 0, Changed = 1 };

PipelineTuningOptions tune(int InlinerThreshold) {
  PipelineTuningOptions Options;
  Options.SLPVectorization = true;  // off in LLVM-C, on in clang
  Options.InlinerThreshold = InlinerThreshold;
  return Options;
}

class Runner {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassInstrumentationCallbacks Callbacks;
  OptNoneInstrumentation OptNone{/*DebugLogging=*/false};  // keeps passes off functions with the attribute optnone
  PassBuilder Builder;

public:
  Runner(TargetMachine *Machine, int InlinerThreshold)
      : Builder(Machine, tune(InlinerThreshold), std::nullopt, &Callbacks) {
    OptNone.registerCallbacks(Callbacks);
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Components);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  }

  Answer run(Module &M, const char *Pipeline, char **Message) {
    ModulePassManager Passes;  // anew, since some passes can be run only once
    if (Error E = Builder.parsePassPipeline(Passes, Pipeline)) {
      *Message = LLVMCreateMessage(toString(std::move(E)).c_str());
      return Refused;
    }
    PreservedAnalyses Preserved = Passes.run(M, Modules);
    Modules.clear();
    Components.clear();
    Functions.clear();
    Loops.clear();
    return Preserved.areAllPreserved() ? Unchanged : Changed;
  }
};

}  // namespace

extern "C" {

const char *helm_runner_llvm_version() { return LLVM_VERSION_STRING; }

// Threshold: of the inliner; -1 is LLVM's own.
void *helm_runner_create(LLVMTargetMachineRef Machine, int InlinerThreshold) {
  return new Runner(reinterpret_cast<TargetMachine *>(Machine), InlinerThreshold);
}

// Returns an `Answer`. If it is `Refused`, no pass has been run, and the caller disposes of the message.
int helm_runner_run(void *Made, LLVMModuleRef M, const char *Pipeline, char **Message) {
  return static_cast<Runner *>(Made)->run(*unwrap(M), Pipeline, Message);
}
}
