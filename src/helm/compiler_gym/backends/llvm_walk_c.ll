; The functions that `llvm_walk.ll` calls, in terms of LLVM's C interface; `llvm_walk.py` puts addresses for the names.
; Only one walk is under way at a time, and one iterator of a kind is alive at a time, so each has one place.

@functions.at = internal global ptr null
@blocks.at = internal global ptr null
@instructions.at = internal global ptr null
@user = internal global ptr null
@operand.index = internal global i32 0
@operand.count = internal global i32 0
@words = internal global [2 x i64] zeroinitializer

define internal ptr @ModuleFunctionsIter(ptr %module) {
  %first = call ptr @LLVMGetFirstFunction@(ptr %module)
  store ptr %first, ptr @functions.at
  ret ptr @functions.at
}

define internal ptr @FunctionsIterNext(ptr %iterator) {
  %item = load ptr, ptr %iterator
  %is_end = icmp eq ptr %item, null
  br i1 %is_end, label %end, label %advance
advance:
  %next = call ptr @LLVMGetNextFunction@(ptr %item)
  store ptr %next, ptr %iterator
  br label %end
end:
  ret ptr %item
}

define internal ptr @FunctionBlocksIter(ptr %function) {
  %first = call ptr @LLVMGetFirstBasicBlock@(ptr %function)
  store ptr %first, ptr @blocks.at
  ret ptr @blocks.at
}

define internal ptr @BlocksIterNext(ptr %iterator) {
  %item = load ptr, ptr %iterator
  %is_end = icmp eq ptr %item, null
  br i1 %is_end, label %end, label %advance
advance:
  %next = call ptr @LLVMGetNextBasicBlock@(ptr %item)
  store ptr %next, ptr %iterator
  br label %end
end:
  ret ptr %item
}

define internal ptr @BlockInstructionsIter(ptr %block) {
  %first = call ptr @LLVMGetFirstInstruction@(ptr %block)
  store ptr %first, ptr @instructions.at
  ret ptr @instructions.at
}

define internal ptr @InstructionsIterNext(ptr %iterator) {
  %item = load ptr, ptr %iterator
  %is_end = icmp eq ptr %item, null
  br i1 %is_end, label %end, label %advance
advance:
  %next = call ptr @LLVMGetNextInstruction@(ptr %item)
  store ptr %next, ptr %iterator
  br label %end
end:
  ret ptr %item
}

define internal ptr @InstructionOperandsIter(ptr %instruction) {
  %count = call i32 @LLVMGetNumOperands@(ptr %instruction)
  store ptr %instruction, ptr @user
  store i32 0, ptr @operand.index
  store i32 %count, ptr @operand.count
  ret ptr @user
}

define internal ptr @OperandsIterNext(ptr %iterator) {
  %index = load i32, ptr @operand.index
  %count = load i32, ptr @operand.count
  %is_end = icmp uge i32 %index, %count
  br i1 %is_end, label %end, label %advance
advance:
  %next = add i32 %index, 1
  store i32 %next, ptr @operand.index
  %user = load ptr, ptr %iterator
  %operand = call ptr @LLVMGetOperand@(ptr %user, i32 %index)
  ret ptr %operand
end:
  ret ptr null
}

define internal void @DisposeFunctionsIter(ptr %iterator) {
  ret void
}

define internal void @DisposeBlocksIter(ptr %iterator) {
  ret void
}

define internal void @DisposeInstructionsIter(ptr %iterator) {
  ret void
}

define internal void @DisposeOperandsIter(ptr %iterator) {
  ret void
}

define internal ptr @GetOpcodeName(ptr %instruction) {
  %number = call i32 @LLVMGetInstructionOpcode@(ptr %instruction)
  %name.at = getelementptr [128 x i64], ptr inttoptr (i64 @OPCODES@ to ptr), i32 0, i32 %number
  %name = load ptr, ptr %name.at
  ret ptr %name
}

define internal void @DisposeString(ptr %text) {
  ret void
}

define internal ptr @TypeOf(ptr %value) {
  %type = call ptr @LLVMTypeOf@(ptr %value)
  ret ptr %type
}

define internal i32 @GetTypeKind(ptr %type) {
  %kind = call i32 @LLVMGetTypeKind@(ptr %type)
  ret i32 %kind
}

define internal i64 @GetTypeBitWidth(ptr %type) {
  %width = call i32 @LLVMGetIntTypeWidth@(ptr %type)
  %wide = zext i32 %width to i64
  ret i64 %wide
}

define internal i32 @GetValueKind(ptr %value) {
  %kind = call i32 @LLVMGetValueKind@(ptr %value)
  ret i32 %kind
}

define internal i1 @IsConstant(ptr %value) {
  %answer = call i32 @LLVMIsConstant@(ptr %value)
  %is_constant = icmp ne i32 %answer, 0
  ret i1 %is_constant
}

define internal i32 @GetConstantIntNumWords(ptr %constant) {
  ret i32 2
}

; The second word says only whether the upper bits are zero: equal constants of one type are one object.
define internal ptr @GetConstantIntRawValue(ptr %constant, ptr %little) {
  %low = call i64 @LLVMConstIntGetZExtValue@(ptr %constant)
  %type = call ptr @LLVMTypeOf@(ptr %constant)
  %small = call ptr @LLVMConstInt@(ptr %type, i64 %low, i32 0)
  %is_large = icmp ne ptr %small, %constant
  %high = zext i1 %is_large to i64
  store i64 %low, ptr @words
  %high.at = getelementptr [2 x i64], ptr @words, i32 0, i32 1
  store i64 %high, ptr %high.at
  ret ptr @words
}
