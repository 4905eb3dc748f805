// Runs passes as LLVMRunPasses does, and returns what LLVM-C drops: whether a pass says that it changed the module.
//
// A runner also keeps what LLVMRunPasses makes anew for each call: the pass builder and the tables of analyses. No result
// of an analysis outlives a call, since passes decide by what is cached, and a fork of a session has nothing cached.
//
// A watch notes on which functions passes say that they changed something, so that verifier and count need not see the others.

#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/raw_ostream.h"
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

void hashGlobal(hash_code &Hash, const GlobalValue &G) {
  Hash = hash_combine(Hash, &G, G.getValueName(), G.getValueType(), G.getLinkage(), G.getVisibility(),
                      G.getDLLStorageClass(), G.getThreadLocalMode(), unsigned(G.getUnnamedAddr()), G.isDSOLocal(),
                      G.getPartition(), G.isDeclaration());
  if (const auto *Object = dyn_cast<GlobalObject>(&G)) {
    SmallVector<std::pair<unsigned, MDNode *>, 2> Metadata;
    Object->getAllMetadata(Metadata);
    for (auto [Kind, Node] : Metadata)
      Hash = hash_combine(Hash, Kind, Node);
    Hash = hash_combine(Hash, Object->getSection(), Object->getComdat());
  }
  if (const auto *F = dyn_cast<Function>(&G))
    Hash = hash_combine(Hash, F->getAttributes().getRawPointer(), F->getCallingConv(), F->hasGC(),
                        F->getAlign().valueOrOne().value());
  if (const auto *Variable = dyn_cast<GlobalVariable>(&G)) {
    Hash = hash_combine(Hash, Variable->isConstant(), Variable->isExternallyInitialized(),
                        Variable->getAlign().valueOrOne().value());
    for (Attribute Mark : Variable->getAttributes())
      Hash = hash_combine(Hash, Mark.getRawPointer());
  }
  for (const Use &Operand : G.operands())  // initializers, aliased values, personalities, prefixes
    Hash = hash_combine(Hash, Operand.get());
}

// Everything of a module that the verifier reads, but for the bodies of functions. Types, attributes, constants and
// metadata are unique objects of the context, so that their addresses stand for them.
hash_code hashShape(const Module &M) {
  hash_code Hash = hash_value(M.getDataLayoutStr());
  for (const GlobalValue &G : M.global_values())
    hashGlobal(Hash, G);
  for (const NamedMDNode &Named : M.named_metadata()) {
    Hash = hash_combine(Hash, &Named, Named.getName());
    for (const MDNode *Node : Named.operands())
      Hash = hash_combine(Hash, Node);
  }
  for (const auto &Entry : M.getComdatSymbolTable())
    Hash = hash_combine(Hash, Entry.getKey(), Entry.getValue().getSelectionKind());
  return Hash;
}

// Whether an instruction outside of any function of the module uses a value, or a constant made of it.
bool hasLooseUser(const Module &M, const Value &V) {
  for (const User *U : V.users()) {
    if (const auto *I = dyn_cast<Instruction>(U)) {
      if (!I->getParent() || !I->getFunction() || I->getModule() != &M)
        return true;
    } else if (isa<Constant>(U) && !isa<GlobalValue>(U) && hasLooseUser(M, *U)) {
      return true;
    }
  }
  return false;
}

unsigned countInstructions(const Function &F) {
  unsigned Count = 0;
  for (const BasicBlock &Block : F)  // Function::getInstructionCount calls a function for each instruction
    Count += Block.size();
  return Count;
}

// Functions of one module in which something may have changed since they were last looked at.
struct Marks {
  bool AreAll = true;  // nobody has looked, or something changed that no function accounts for
  SmallPtrSet<const Function *, 32> Some;

  void add(const Function *F) {
    if (!AreAll)
      Some.insert(F);
  }
  void set(bool All) {
    AreAll = All;
    Some.clear();
  }
};

// What is known of one module: whether the verifier has found it valid, and how many instructions it has.
class Watch {
  Marks Unverified, Uncounted;
  hash_code Shape{0};  // when it was found valid
  DenseMap<const Function *, unsigned> Counts;

  // The verifier's checks of one function read its body and the shape of the module. Its checks of the module read the
  // shape, users of globals, and the slots of escaped frames.
  bool isWholeToBeVerified(const Module &M, hash_code Now) const {
    if (Unverified.AreAll || Now != Shape || M.getFunction("llvm.localescape"))
      return true;
    return any_of(M.global_values(), [&](const GlobalValue &G) { return hasLooseUser(M, G); });
  }

public:
  void addFunction(const Function *F) {
    Unverified.add(F);
    Uncounted.add(F);
  }

  void addAll() {
    Unverified.set(true);
    Uncounted.set(true);
  }

  // Looks at functions of the module alone, since those with a mark or a count may be gone.
  unsigned count(const Module &M) {
    if (Uncounted.AreAll)
      Counts.clear();
    unsigned Count = 0;
    for (const Function &F : M) {
      auto [Known, IsNew] = Counts.try_emplace(&F, 0);
      if (IsNew || Uncounted.Some.contains(&F))
        Known->second = countInstructions(F);
      Count += Known->second;
    }
    Uncounted.set(false);
    return Count;
  }

  // Returns whether the module is broken; appends the findings of the verifier over the whole module.
  bool isBroken(const Module &M, std::string &Findings) {
    const hash_code Now = hashShape(M);
    raw_string_ostream Stream(Findings);
    if (isWholeToBeVerified(M, Now) ||
        any_of(M, [&](const Function &F) { return Unverified.Some.contains(&F) && verifyFunction(F); })) {
      Unverified.set(true);
      if (verifyModule(M, &Stream))
        return true;
    }
    Unverified.set(false);
    Shape = Now;
    return false;
  }
};

// Whether it only runs other passes, which are told of one by one.
bool isWrapper(StringRef PassID) {
  StringRef Name = PassID.split('<').first;
  return Name.ends_with("PassManager") || Name.ends_with("PassAdaptor");
}

template <typename IRUnit> const IRUnit *getUnit(Any &Unit) {
  const auto *Address = any_cast<const IRUnit *>(&Unit);
  return Address ? *Address : nullptr;
}

class Runner {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassInstrumentationCallbacks Callbacks;
  OptNoneInstrumentation OptNone{/*DebugLogging=*/false};  // keeps passes off functions with the attribute optnone
  PassBuilder Builder;
  Watch *Watching = nullptr;
  SmallVector<bool, 16> AreLoops;  // of the passes that are running, the innermost last

  void watch() {
    Callbacks.registerBeforeNonSkippedPassCallback(
        [this](StringRef, Any Unit) { AreLoops.push_back(getUnit<Loop>(Unit) != nullptr); });
    Callbacks.registerAfterPassCallback([this](StringRef PassID, Any Unit, const PreservedAnalyses &Preserved) {
      const bool IsLoop = AreLoops.pop_back_val();
      if (Preserved.areAllPreserved() || IsLoop)  // the adaptor of a pass over loops tells of its function
        return;
      if (const auto *F = getUnit<Function>(Unit))
        Watching->addFunction(F);
      else if (!isWrapper(PassID))
        Watching->addAll();
    });
    Callbacks.registerAfterPassInvalidatedCallback([this](StringRef, const PreservedAnalyses &) {
      if (!AreLoops.pop_back_val())
        Watching->addAll();
    });
  }

public:
  Runner(TargetMachine *Machine, int InlinerThreshold)
      : Builder(Machine, tune(InlinerThreshold), std::nullopt, &Callbacks) {
    OptNone.registerCallbacks(Callbacks);
    watch();
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Components);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  }

  Answer run(Module &M, Watch &Watched, const char *Pipeline, char **Message) {
    ModulePassManager Passes;  // anew, since some passes can be run only once
    if (Error E = Builder.parsePassPipeline(Passes, Pipeline)) {
      *Message = LLVMCreateMessage(toString(std::move(E)).c_str());
      return Refused;
    }
    Watching = &Watched;
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

void *helm_runner_create_watch() { return new Watch; }

void helm_runner_dispose_watch(void *Watched) { delete static_cast<Watch *>(Watched); }

// Returns an `Answer`. If it is `Refused`, no pass has been run, and the caller disposes of the message. One watch sees
// everything that is run on a module.
int helm_runner_run(void *Made, LLVMModuleRef M, void *Watched, const char *Pipeline, char **Message) {
  return static_cast<Runner *>(Made)->run(*unwrap(M), *static_cast<Watch *>(Watched), Pipeline, Message);
}

// Counts the instructions in all functions.
unsigned helm_runner_count(LLVMModuleRef M, void *Watched) { return static_cast<Watch *>(Watched)->count(*unwrap(M)); }

// Returns whether the module is broken; the caller then disposes of the message.
int helm_runner_verify(LLVMModuleRef M, void *Watched, char **Message) {
  std::string Findings;
  if (!static_cast<Watch *>(Watched)->isBroken(*unwrap(M), Findings))
    return 0;
  *Message = LLVMCreateMessage(Findings.c_str());
  return 1;
}
}
