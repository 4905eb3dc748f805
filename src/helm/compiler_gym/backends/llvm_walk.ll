; Walks a module through the C functions of llvmlite's library; `llvm_walk.py` puts their addresses for their names,
; compiles this text in memory and reads what it writes. No error can occur; a buffer that is too small is only counted.

%Buffer = type { ptr, i64, i64 } ; records, how many fit, how many there are
%Walk = type { %Buffer, %Buffer, %Buffer, i64 } ; blocks, instructions, operands, number of functions
%Instruction = type { i64, i64, i32, i32 } ; address, first letters of its name, block, width
%Operand = type { i64, i32, i32, i32, i32 } ; address or constant, instruction, kind, is constant, width

define i64 @count_instructions(ptr %module) {
start:
  %count = alloca i64
  store i64 0, ptr %count
  %functions = call ptr @ModuleFunctionsIter@(ptr %module)
  br label %next_function
next_function:
  %function = call ptr @FunctionsIterNext@(ptr %functions)
  %no_function = icmp eq ptr %function, null
  br i1 %no_function, label %end, label %blocks_of
blocks_of:
  %blocks = call ptr @FunctionBlocksIter@(ptr %function)
  br label %next_block
next_block:
  %block = call ptr @BlocksIterNext@(ptr %blocks)
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %end_function, label %instructions_of
instructions_of:
  %instructions = call ptr @BlockInstructionsIter@(ptr %block)
  br label %next_instruction
next_instruction:
  %instruction = call ptr @InstructionsIterNext@(ptr %instructions)
  %no_instruction = icmp eq ptr %instruction, null
  br i1 %no_instruction, label %end_block, label %add
add:
  %old = load i64, ptr %count
  %new = add i64 %old, 1
  store i64 %new, ptr %count
  br label %next_instruction
end_block:
  call void @DisposeInstructionsIter@(ptr %instructions)
  br label %next_block
end_function:
  call void @DisposeBlocksIter@(ptr %blocks)
  br label %next_function
end:
  call void @DisposeFunctionsIter@(ptr %functions)
  %result = load i64, ptr %count
  ret i64 %result
}

; A place for one more record; null when there is none. `size` is that of a record in bytes.
define internal ptr @append(ptr %buffer, i64 %size) {
  %fit.at = getelementptr %Buffer, ptr %buffer, i32 0, i32 1
  %used.at = getelementptr %Buffer, ptr %buffer, i32 0, i32 2
  %fit = load i64, ptr %fit.at
  %used = load i64, ptr %used.at
  %more = add i64 %used, 1
  store i64 %more, ptr %used.at
  %fits = icmp ult i64 %used, %fit
  br i1 %fits, label %inside, label %outside
inside:
  %records = load ptr, ptr %buffer
  %offset = mul i64 %used, %size
  %place = getelementptr i8, ptr %records, i64 %offset
  ret ptr %place
outside:
  ret ptr null
}

; The first eight bytes of an opcode's name as a number, the first byte lowest.
define internal i64 @get_name(ptr %instruction) {
start:
  %text = call ptr @GetOpcodeName@(ptr %instruction)
  br label %next
next:
  %index = phi i64 [ 0, %start ], [ %index.next, %append ]
  %name = phi i64 [ 0, %start ], [ %name.next, %append ]
  %at = getelementptr i8, ptr %text, i64 %index
  %byte = load i8, ptr %at
  %is_end = icmp eq i8 %byte, 0
  br i1 %is_end, label %end, label %append
append:
  %wide = zext i8 %byte to i64
  %shift = mul i64 %index, 8
  %shifted = shl i64 %wide, %shift
  %name.next = or i64 %name, %shifted
  %index.next = add i64 %index, 1
  %is_full = icmp eq i64 %index.next, 8
  br i1 %is_full, label %end, label %next
end:
  %result = phi i64 [ %name, %next ], [ %name.next, %append ]
  call void @DisposeString@(ptr %text)
  ret i64 %result
}

; Bits of a scalar integer; 0 for a value of any other type.
define internal i32 @get_width(ptr %value) {
  %type = call ptr @TypeOf@(ptr %value)
  %kind = call i32 @GetTypeKind@(ptr %type)
  %is_integer = icmp eq i32 %kind, 8
  br i1 %is_integer, label %integer, label %other
integer:
  %bits = call i64 @GetTypeBitWidth@(ptr %type)
  %width = trunc i64 %bits to i32
  ret i32 %width
other:
  ret i32 0
}

; An integer constant as a number of 64 bits; all ones when it needs more.
define internal i64 @get_constant(ptr %constant) {
start:
  %little = alloca i8
  %words = call i32 @GetConstantIntNumWords@(ptr %constant)
  %raw = call ptr @GetConstantIntRawValue@(ptr %constant, ptr %little)
  %first = load i64, ptr %raw
  br label %next
next:
  %index = phi i32 [ 1, %start ], [ %index.next, %check ]
  %is_end = icmp uge i32 %index, %words
  br i1 %is_end, label %small, label %check
check:
  %at = getelementptr i64, ptr %raw, i32 %index
  %word = load i64, ptr %at
  %is_zero = icmp eq i64 %word, 0
  %index.next = add i32 %index, 1
  br i1 %is_zero, label %next, label %large
small:
  ret i64 %first
large:
  ret i64 -1
}

define internal void @add_operands(ptr %walk, ptr %instruction, i32 %number) {
start:
  %buffer = getelementptr %Walk, ptr %walk, i32 0, i32 2
  %operands = call ptr @InstructionOperandsIter@(ptr %instruction)
  br label %next
next:
  %operand = call ptr @OperandsIterNext@(ptr %operands)
  %no_operand = icmp eq ptr %operand, null
  br i1 %no_operand, label %end, label %add
add:
  %record = call ptr @append(ptr %buffer, i64 24)
  %is_lost = icmp eq ptr %record, null
  br i1 %is_lost, label %next, label %write
write:
  %kind = call i32 @GetValueKind@(ptr %operand)
  %is_constant = call i1 @IsConstant@(ptr %operand)
  %is_constant.wide = zext i1 %is_constant to i32
  %address = ptrtoint ptr %operand to i64
  %instruction.at = getelementptr %Operand, ptr %record, i32 0, i32 1
  %kind.at = getelementptr %Operand, ptr %record, i32 0, i32 2
  %is_constant.at = getelementptr %Operand, ptr %record, i32 0, i32 3
  %width.at = getelementptr %Operand, ptr %record, i32 0, i32 4
  store i64 %address, ptr %record
  store i32 %number, ptr %instruction.at
  store i32 %kind, ptr %kind.at
  store i32 %is_constant.wide, ptr %is_constant.at
  store i32 0, ptr %width.at
  %is_integer = icmp eq i32 %kind, 18
  br i1 %is_integer, label %integer, label %next
integer:
  %width = call i32 @get_width(ptr %operand)
  store i32 %width, ptr %width.at
  %value = call i64 @get_constant(ptr %operand)
  store i64 %value, ptr %record
  br label %next
end:
  call void @DisposeOperandsIter@(ptr %operands)
  ret void
}

define void @walk(ptr %walk, ptr %module) {
start:
  %blocks.buffer = getelementptr %Walk, ptr %walk, i32 0, i32 0
  %instructions.buffer = getelementptr %Walk, ptr %walk, i32 0, i32 1
  %block_count.at = getelementptr %Walk, ptr %walk, i32 0, i32 0, i32 2
  %instruction_count.at = getelementptr %Walk, ptr %walk, i32 0, i32 1, i32 2
  %function_count.at = getelementptr %Walk, ptr %walk, i32 0, i32 3
  %functions = call ptr @ModuleFunctionsIter@(ptr %module)
  br label %next_function
next_function:
  %function = call ptr @FunctionsIterNext@(ptr %functions)
  %no_function = icmp eq ptr %function, null
  br i1 %no_function, label %end, label %blocks_of
blocks_of:
  %function_count = load i64, ptr %function_count.at
  %function_count.next = add i64 %function_count, 1
  store i64 %function_count.next, ptr %function_count.at
  %blocks = call ptr @FunctionBlocksIter@(ptr %function)
  br label %next_block
next_block:
  %block = call ptr @BlocksIterNext@(ptr %blocks)
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %end_function, label %instructions_of
instructions_of:
  %block_number.wide = load i64, ptr %block_count.at
  %block_number = trunc i64 %block_number.wide to i32
  %block_record = call ptr @append(ptr %blocks.buffer, i64 8)
  %block_is_lost = icmp eq ptr %block_record, null
  br i1 %block_is_lost, label %begin_block, label %write_block
write_block:
  store ptr %block, ptr %block_record
  br label %begin_block
begin_block:
  %instructions = call ptr @BlockInstructionsIter@(ptr %block)
  br label %next_instruction
next_instruction:
  %instruction = call ptr @InstructionsIterNext@(ptr %instructions)
  %no_instruction = icmp eq ptr %instruction, null
  br i1 %no_instruction, label %end_block, label %add
add:
  %number.wide = load i64, ptr %instruction_count.at
  %number = trunc i64 %number.wide to i32
  %record = call ptr @append(ptr %instructions.buffer, i64 24)
  %is_lost = icmp eq ptr %record, null
  br i1 %is_lost, label %operands_of, label %write
write:
  %name = call i64 @get_name(ptr %instruction)
  %width = call i32 @get_width(ptr %instruction)
  %name.at = getelementptr %Instruction, ptr %record, i32 0, i32 1
  %block.at = getelementptr %Instruction, ptr %record, i32 0, i32 2
  %width.at = getelementptr %Instruction, ptr %record, i32 0, i32 3
  store ptr %instruction, ptr %record
  store i64 %name, ptr %name.at
  store i32 %block_number, ptr %block.at
  store i32 %width, ptr %width.at
  br label %operands_of
operands_of:
  call void @add_operands(ptr %walk, ptr %instruction, i32 %number)
  br label %next_instruction
end_block:
  call void @DisposeInstructionsIter@(ptr %instructions)
  br label %next_block
end_function:
  call void @DisposeBlocksIter@(ptr %blocks)
  br label %next_function
end:
  call void @DisposeFunctionsIter@(ptr %functions)
  ret void
}
