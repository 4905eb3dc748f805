source_filename = "stackvm.c"

%struct.machine = type { [32 x i32], [8 x i32], i32, i32, i32, i32 }

@.str = private unnamed_addr constant [4 x i8] c"%d \00", align 1
@main.fibonacci = internal constant [40 x i8] c"\00\00\02\00\00\01\02\01\00\1E\02\02\01\02\09$\01\00\01\01\03\01\01\02\00\02\01\01\02\00\01\04\02\02\08\0C\01\00\0A\0B", align 16
@main.divisor = internal constant [29 x i8] c"\00~\02\00\00b\02\01\01\01\09\19\01\00\01\01\06\01\01\02\00\02\01\08\08\01\00\0A\0B", align 16
@main.squares = internal constant [38 x i8] c"\00\00\02\00\00\00\02\01\01\01\00d\07\09\22\01\00\01\01\01\01\05\03\02\00\01\01\00\01\03\02\01\08\08\01\00\0A\0B", align 16
@main.programs = internal constant [3 x ptr] [ptr @main.fibonacci, ptr @main.divisor, ptr @main.squares], align 16
@main.expected = internal constant [3 x i32] [i32 832040, i32 14, i32 328350], align 4
@.str.1 = private unnamed_addr constant [6 x i8] c"(%d) \00", align 1
@.str.2 = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1

define dso_local void @push(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %4, align 4
  %6 = load ptr, ptr %3, align 8
  %7 = getelementptr inbounds nuw %struct.machine, ptr %6, i32 0, i32 0
  %8 = load ptr, ptr %3, align 8
  %9 = getelementptr inbounds nuw %struct.machine, ptr %8, i32 0, i32 2
  %10 = load i32, ptr %9, align 4
  %11 = add nsw i32 %10, 1
  store i32 %11, ptr %9, align 4
  %12 = sext i32 %10 to i64
  %13 = getelementptr inbounds [32 x i32], ptr %7, i64 0, i64 %12
  store i32 %5, ptr %13, align 4
  ret void
}

define dso_local i32 @pop(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw %struct.machine, ptr %3, i32 0, i32 0
  %5 = load ptr, ptr %2, align 8
  %6 = getelementptr inbounds nuw %struct.machine, ptr %5, i32 0, i32 2
  %7 = load i32, ptr %6, align 4
  %8 = add nsw i32 %7, -1
  store i32 %8, ptr %6, align 4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [32 x i32], ptr %4, i64 0, i64 %9
  %11 = load i32, ptr %10, align 4
  ret i32 %11
}

define dso_local void @binary(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %7 = load ptr, ptr %3, align 8
  %8 = call i32 @pop(ptr noundef %7)
  store i32 %8, ptr %5, align 4
  %9 = load ptr, ptr %3, align 8
  %10 = call i32 @pop(ptr noundef %9)
  store i32 %10, ptr %6, align 4
  %11 = load i32, ptr %4, align 4
  switch i32 %11, label %38 [
    i32 3, label %12
    i32 4, label %17
    i32 5, label %22
    i32 6, label %27
  ]

12:
  %13 = load ptr, ptr %3, align 8
  %14 = load i32, ptr %6, align 4
  %15 = load i32, ptr %5, align 4
  %16 = add i32 %14, %15
  call void @push(ptr noundef %13, i32 noundef %16)
  br label %44

17:
  %18 = load ptr, ptr %3, align 8
  %19 = load i32, ptr %6, align 4
  %20 = load i32, ptr %5, align 4
  %21 = sub i32 %19, %20
  call void @push(ptr noundef %18, i32 noundef %21)
  br label %44

22:
  %23 = load ptr, ptr %3, align 8
  %24 = load i32, ptr %6, align 4
  %25 = load i32, ptr %5, align 4
  %26 = mul i32 %24, %25
  call void @push(ptr noundef %23, i32 noundef %26)
  br label %44

27:
  %28 = load ptr, ptr %3, align 8
  %29 = load i32, ptr %5, align 4
  %30 = icmp ne i32 %29, 0
  br i1 %30, label %31, label %35

31:
  %32 = load i32, ptr %6, align 4
  %33 = load i32, ptr %5, align 4
  %34 = srem i32 %32, %33
  br label %36

35:
  br label %36

36:
  %37 = phi i32 [ %34, %31 ], [ 0, %35 ]
  call void @push(ptr noundef %28, i32 noundef %37)
  br label %44

38:
  %39 = load ptr, ptr %3, align 8
  %40 = load i32, ptr %6, align 4
  %41 = load i32, ptr %5, align 4
  %42 = icmp slt i32 %40, %41
  %43 = zext i1 %42 to i32
  call void @push(ptr noundef %39, i32 noundef %43)
  br label %44

44:
  ret void
}

define dso_local i32 @run(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %7 = load ptr, ptr %4, align 8
  %8 = getelementptr inbounds nuw %struct.machine, ptr %7, i32 0, i32 4
  store i32 0, ptr %8, align 4
  br label %9

9:
  %10 = load ptr, ptr %4, align 8
  %11 = getelementptr inbounds nuw %struct.machine, ptr %10, i32 0, i32 4
  %12 = load i32, ptr %11, align 4
  %13 = icmp slt i32 %12, 10000
  br i1 %13, label %14, label %118

14:
  %15 = load ptr, ptr %5, align 8
  %16 = load ptr, ptr %4, align 8
  %17 = getelementptr inbounds nuw %struct.machine, ptr %16, i32 0, i32 3
  %18 = load i32, ptr %17, align 4
  %19 = add nsw i32 %18, 1
  store i32 %19, ptr %17, align 4
  %20 = sext i32 %18 to i64
  %21 = getelementptr inbounds i8, ptr %15, i64 %20
  %22 = load i8, ptr %21, align 1
  %23 = sext i8 %22 to i32
  store i32 %23, ptr %6, align 4
  %24 = load i32, ptr %6, align 4
  switch i32 %24, label %109 [
    i32 0, label %25
    i32 1, label %36
    i32 2, label %51
    i32 8, label %66
    i32 9, label %77
    i32 10, label %99
    i32 11, label %108
  ]

25:
  %26 = load ptr, ptr %4, align 8
  %27 = load ptr, ptr %5, align 8
  %28 = load ptr, ptr %4, align 8
  %29 = getelementptr inbounds nuw %struct.machine, ptr %28, i32 0, i32 3
  %30 = load i32, ptr %29, align 4
  %31 = add nsw i32 %30, 1
  store i32 %31, ptr %29, align 4
  %32 = sext i32 %30 to i64
  %33 = getelementptr inbounds i8, ptr %27, i64 %32
  %34 = load i8, ptr %33, align 1
  %35 = sext i8 %34 to i32
  call void @push(ptr noundef %26, i32 noundef %35)
  br label %112

36:
  %37 = load ptr, ptr %4, align 8
  %38 = load ptr, ptr %4, align 8
  %39 = getelementptr inbounds nuw %struct.machine, ptr %38, i32 0, i32 1
  %40 = load ptr, ptr %5, align 8
  %41 = load ptr, ptr %4, align 8
  %42 = getelementptr inbounds nuw %struct.machine, ptr %41, i32 0, i32 3
  %43 = load i32, ptr %42, align 4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %42, align 4
  %45 = sext i32 %43 to i64
  %46 = getelementptr inbounds i8, ptr %40, i64 %45
  %47 = load i8, ptr %46, align 1
  %48 = sext i8 %47 to i64
  %49 = getelementptr inbounds [8 x i32], ptr %39, i64 0, i64 %48
  %50 = load i32, ptr %49, align 4
  call void @push(ptr noundef %37, i32 noundef %50)
  br label %112

51:
  %52 = load ptr, ptr %4, align 8
  %53 = call i32 @pop(ptr noundef %52)
  %54 = load ptr, ptr %4, align 8
  %55 = getelementptr inbounds nuw %struct.machine, ptr %54, i32 0, i32 1
  %56 = load ptr, ptr %5, align 8
  %57 = load ptr, ptr %4, align 8
  %58 = getelementptr inbounds nuw %struct.machine, ptr %57, i32 0, i32 3
  %59 = load i32, ptr %58, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %58, align 4
  %61 = sext i32 %59 to i64
  %62 = getelementptr inbounds i8, ptr %56, i64 %61
  %63 = load i8, ptr %62, align 1
  %64 = sext i8 %63 to i64
  %65 = getelementptr inbounds [8 x i32], ptr %55, i64 0, i64 %64
  store i32 %53, ptr %65, align 4
  br label %112

66:
  %67 = load ptr, ptr %5, align 8
  %68 = load ptr, ptr %4, align 8
  %69 = getelementptr inbounds nuw %struct.machine, ptr %68, i32 0, i32 3
  %70 = load i32, ptr %69, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds i8, ptr %67, i64 %71
  %73 = load i8, ptr %72, align 1
  %74 = sext i8 %73 to i32
  %75 = load ptr, ptr %4, align 8
  %76 = getelementptr inbounds nuw %struct.machine, ptr %75, i32 0, i32 3
  store i32 %74, ptr %76, align 4
  br label %112

77:
  %78 = load ptr, ptr %4, align 8
  %79 = call i32 @pop(ptr noundef %78)
  %80 = icmp ne i32 %79, 0
  br i1 %80, label %81, label %86

81:
  %82 = load ptr, ptr %4, align 8
  %83 = getelementptr inbounds nuw %struct.machine, ptr %82, i32 0, i32 3
  %84 = load i32, ptr %83, align 4
  %85 = add nsw i32 %84, 1
  br label %95

86:
  %87 = load ptr, ptr %5, align 8
  %88 = load ptr, ptr %4, align 8
  %89 = getelementptr inbounds nuw %struct.machine, ptr %88, i32 0, i32 3
  %90 = load i32, ptr %89, align 4
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds i8, ptr %87, i64 %91
  %93 = load i8, ptr %92, align 1
  %94 = sext i8 %93 to i32
  br label %95

95:
  %96 = phi i32 [ %85, %81 ], [ %94, %86 ]
  %97 = load ptr, ptr %4, align 8
  %98 = getelementptr inbounds nuw %struct.machine, ptr %97, i32 0, i32 3
  store i32 %96, ptr %98, align 4
  br label %112

99:
  %100 = load ptr, ptr %4, align 8
  %101 = call i32 @pop(ptr noundef %100)
  %102 = load ptr, ptr %4, align 8
  %103 = getelementptr inbounds nuw %struct.machine, ptr %102, i32 0, i32 5
  store i32 %101, ptr %103, align 4
  %104 = load ptr, ptr %4, align 8
  %105 = getelementptr inbounds nuw %struct.machine, ptr %104, i32 0, i32 5
  %106 = load i32, ptr %105, align 4
  %107 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %106)
  br label %112

108:
  store i32 1, ptr %3, align 4
  br label %119

109:
  %110 = load ptr, ptr %4, align 8
  %111 = load i32, ptr %6, align 4
  call void @binary(ptr noundef %110, i32 noundef %111)
  br label %112

112:
  br label %113

113:
  %114 = load ptr, ptr %4, align 8
  %115 = getelementptr inbounds nuw %struct.machine, ptr %114, i32 0, i32 4
  %116 = load i32, ptr %115, align 4
  %117 = add nsw i32 %116, 1
  store i32 %117, ptr %115, align 4
  br label %9, !llvm.loop !4

118:
  store i32 0, ptr %3, align 4
  br label %119

119:
  %120 = load i32, ptr %3, align 4
  ret i32 %120
}

declare dso_local i32 @printf(ptr noundef, ...) #1

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca %struct.machine, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %6

6:
  %7 = load i32, ptr %3, align 4
  %8 = icmp slt i32 %7, 3
  br i1 %8, label %9, label %40

9:
  call void @llvm.memset.p0.i64(ptr align 4 %4, i8 0, i64 176, i1 false)
  %10 = load i32, ptr %3, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [3 x ptr], ptr @main.programs, i64 0, i64 %11
  %13 = load ptr, ptr %12, align 8
  %14 = call i32 @run(ptr noundef %4, ptr noundef %13)
  store i32 %14, ptr %5, align 4
  %15 = load i32, ptr %5, align 4
  %16 = icmp ne i32 %15, 0
  br i1 %16, label %17, label %29

17:
  %18 = getelementptr inbounds nuw %struct.machine, ptr %4, i32 0, i32 5
  %19 = load i32, ptr %18, align 4
  %20 = load i32, ptr %3, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [3 x i32], ptr @main.expected, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  %24 = icmp ne i32 %19, %23
  br i1 %24, label %29, label %25

25:
  %26 = getelementptr inbounds nuw %struct.machine, ptr %4, i32 0, i32 2
  %27 = load i32, ptr %26, align 4
  %28 = icmp ne i32 %27, 0
  br label %29

29:
  %30 = phi i1 [ true, %17 ], [ true, %9 ], [ %28, %25 ]
  %31 = zext i1 %30 to i32
  %32 = load i32, ptr %2, align 4
  %33 = add nsw i32 %32, %31
  store i32 %33, ptr %2, align 4
  %34 = getelementptr inbounds nuw %struct.machine, ptr %4, i32 0, i32 4
  %35 = load i32, ptr %34, align 4
  %36 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %35)
  br label %37

37:
  %38 = load i32, ptr %3, align 4
  %39 = add nsw i32 %38, 1
  store i32 %39, ptr %3, align 4
  br label %6, !llvm.loop !6

40:
  %41 = load i32, ptr %2, align 4
  %42 = call i32 (ptr, ...) @printf(ptr noundef @.str.2, i32 noundef %41)
  %43 = load i32, ptr %2, align 4
  ret i32 %43
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }
attributes #2 = { nounwind }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
