source_filename = "graphs.c"

@counter = internal global i32 0, align 4
@lowest = internal global [60 x i32] zeroinitializer, align 16
@numbers = internal global [60 x i32] zeroinitializer, align 16
@stack = internal global [60 x i32] zeroinitializer, align 16
@depth = internal global i32 0, align 4
@heads = internal global [60 x i32] zeroinitializer, align 16
@targets = internal global [90 x i32] zeroinitializer, align 16
@component = internal global [60 x i32] zeroinitializer, align 16
@nexts = internal global [90 x i32] zeroinitializer, align 16
@num_components = internal global i32 0, align 4
@finished = internal global [60 x i32] zeroinitializer, align 16
@num_finished = internal global i32 0, align 4
@second = internal global [60 x i32] zeroinitializer, align 16
@back_heads = internal global [60 x i32] zeroinitializer, align 16
@sources = internal global [90 x i32] zeroinitializer, align 16
@back_nexts = internal global [90 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local i32 @min(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = load i32, ptr %4, align 4
  %7 = icmp slt i32 %5, %6
  br i1 %7, label %8, label %10

8:
  %9 = load i32, ptr %3, align 4
  br label %12

10:
  %11 = load i32, ptr %4, align 4
  br label %12

12:
  %13 = phi i32 [ %9, %8 ], [ %11, %10 ]
  ret i32 %13
}

define dso_local void @tarjan(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %6 = load i32, ptr @counter, align 4
  %7 = add nsw i32 %6, 1
  store i32 %7, ptr @counter, align 4
  %8 = load i32, ptr %2, align 4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [60 x i32], ptr @lowest, i64 0, i64 %9
  store i32 %7, ptr %10, align 4
  %11 = load i32, ptr %2, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [60 x i32], ptr @numbers, i64 0, i64 %12
  store i32 %7, ptr %13, align 4
  %14 = load i32, ptr %2, align 4
  %15 = load i32, ptr @depth, align 4
  %16 = add nsw i32 %15, 1
  store i32 %16, ptr @depth, align 4
  %17 = sext i32 %15 to i64
  %18 = getelementptr inbounds [60 x i32], ptr @stack, i64 0, i64 %17
  store i32 %14, ptr %18, align 4
  %19 = load i32, ptr %2, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [60 x i32], ptr @heads, i64 0, i64 %20
  %22 = load i32, ptr %21, align 4
  store i32 %22, ptr %3, align 4
  br label %23

23:
  %24 = load i32, ptr %3, align 4
  %25 = icmp sge i32 %24, 0
  br i1 %25, label %26, label %76

26:
  %27 = load i32, ptr %3, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [90 x i32], ptr @targets, i64 0, i64 %28
  %30 = load i32, ptr %29, align 4
  store i32 %30, ptr %4, align 4
  %31 = load i32, ptr %4, align 4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [60 x i32], ptr @numbers, i64 0, i64 %32
  %34 = load i32, ptr %33, align 4
  %35 = icmp ne i32 %34, 0
  br i1 %35, label %50, label %36

36:
  %37 = load i32, ptr %4, align 4
  call void @tarjan(i32 noundef %37)
  %38 = load i32, ptr %2, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [60 x i32], ptr @lowest, i64 0, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = load i32, ptr %4, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [60 x i32], ptr @lowest, i64 0, i64 %43
  %45 = load i32, ptr %44, align 4
  %46 = call i32 @min(i32 noundef %41, i32 noundef %45)
  %47 = load i32, ptr %2, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [60 x i32], ptr @lowest, i64 0, i64 %48
  store i32 %46, ptr %49, align 4
  br label %70

50:
  %51 = load i32, ptr %4, align 4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %52
  %54 = load i32, ptr %53, align 4
  %55 = icmp slt i32 %54, 0
  br i1 %55, label %56, label %69

56:
  %57 = load i32, ptr %2, align 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [60 x i32], ptr @lowest, i64 0, i64 %58
  %60 = load i32, ptr %59, align 4
  %61 = load i32, ptr %4, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [60 x i32], ptr @numbers, i64 0, i64 %62
  %64 = load i32, ptr %63, align 4
  %65 = call i32 @min(i32 noundef %60, i32 noundef %64)
  %66 = load i32, ptr %2, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [60 x i32], ptr @lowest, i64 0, i64 %67
  store i32 %65, ptr %68, align 4
  br label %69

69:
  br label %70

70:
  br label %71

71:
  %72 = load i32, ptr %3, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [90 x i32], ptr @nexts, i64 0, i64 %73
  %75 = load i32, ptr %74, align 4
  store i32 %75, ptr %3, align 4
  br label %23, !llvm.loop !4

76:
  %77 = load i32, ptr %2, align 4
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds [60 x i32], ptr @lowest, i64 0, i64 %78
  %80 = load i32, ptr %79, align 4
  %81 = load i32, ptr %2, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds [60 x i32], ptr @numbers, i64 0, i64 %82
  %84 = load i32, ptr %83, align 4
  %85 = icmp eq i32 %80, %84
  br i1 %85, label %86, label %104

86:
  br label %87

87:
  %88 = load i32, ptr @depth, align 4
  %89 = add nsw i32 %88, -1
  store i32 %89, ptr @depth, align 4
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds [60 x i32], ptr @stack, i64 0, i64 %90
  %92 = load i32, ptr %91, align 4
  store i32 %92, ptr %5, align 4
  %93 = load i32, ptr @num_components, align 4
  %94 = load i32, ptr %5, align 4
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %95
  store i32 %93, ptr %96, align 4
  br label %97

97:
  %98 = load i32, ptr %5, align 4
  %99 = load i32, ptr %2, align 4
  %100 = icmp ne i32 %98, %99
  br i1 %100, label %87, label %101, !llvm.loop !6

101:
  %102 = load i32, ptr @num_components, align 4
  %103 = add nsw i32 %102, 1
  store i32 %103, ptr @num_components, align 4
  br label %104

104:
  ret void
}

define dso_local void @finish(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %4 = load i32, ptr %2, align 4
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds [60 x i32], ptr @numbers, i64 0, i64 %5
  store i32 0, ptr %6, align 4
  %7 = load i32, ptr %2, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [60 x i32], ptr @heads, i64 0, i64 %8
  %10 = load i32, ptr %9, align 4
  store i32 %10, ptr %3, align 4
  br label %11

11:
  %12 = load i32, ptr %3, align 4
  %13 = icmp sge i32 %12, 0
  br i1 %13, label %14, label %34

14:
  %15 = load i32, ptr %3, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [90 x i32], ptr @targets, i64 0, i64 %16
  %18 = load i32, ptr %17, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [60 x i32], ptr @numbers, i64 0, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = icmp ne i32 %21, 0
  br i1 %22, label %23, label %28

23:
  %24 = load i32, ptr %3, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [90 x i32], ptr @targets, i64 0, i64 %25
  %27 = load i32, ptr %26, align 4
  call void @finish(i32 noundef %27)
  br label %28

28:
  br label %29

29:
  %30 = load i32, ptr %3, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [90 x i32], ptr @nexts, i64 0, i64 %31
  %33 = load i32, ptr %32, align 4
  store i32 %33, ptr %3, align 4
  br label %11, !llvm.loop !7

34:
  %35 = load i32, ptr %2, align 4
  %36 = load i32, ptr @num_finished, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr @num_finished, align 4
  %38 = sext i32 %36 to i64
  %39 = getelementptr inbounds [60 x i32], ptr @finished, i64 0, i64 %38
  store i32 %35, ptr %39, align 4
  ret void
}

define dso_local void @collect(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %6 = load i32, ptr %4, align 4
  %7 = load i32, ptr %3, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [60 x i32], ptr @second, i64 0, i64 %8
  store i32 %6, ptr %9, align 4
  %10 = load i32, ptr %3, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [60 x i32], ptr @back_heads, i64 0, i64 %11
  %13 = load i32, ptr %12, align 4
  store i32 %13, ptr %5, align 4
  br label %14

14:
  %15 = load i32, ptr %5, align 4
  %16 = icmp sge i32 %15, 0
  br i1 %16, label %17, label %38

17:
  %18 = load i32, ptr %5, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [90 x i32], ptr @sources, i64 0, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [60 x i32], ptr @second, i64 0, i64 %22
  %24 = load i32, ptr %23, align 4
  %25 = icmp slt i32 %24, 0
  br i1 %25, label %26, label %32

26:
  %27 = load i32, ptr %5, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [90 x i32], ptr @sources, i64 0, i64 %28
  %30 = load i32, ptr %29, align 4
  %31 = load i32, ptr %4, align 4
  call void @collect(i32 noundef %30, i32 noundef %31)
  br label %32

32:
  br label %33

33:
  %34 = load i32, ptr %5, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [90 x i32], ptr @back_nexts, i64 0, i64 %35
  %37 = load i32, ptr %36, align 4
  store i32 %37, ptr %5, align 4
  br label %14, !llvm.loop !8

38:
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 13, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %14

14:
  %15 = load i32, ptr %6, align 4
  %16 = icmp slt i32 %15, 60
  br i1 %16, label %17, label %33

17:
  %18 = load i32, ptr %6, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [60 x i32], ptr @second, i64 0, i64 %19
  store i32 -1, ptr %20, align 4
  %21 = load i32, ptr %6, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %22
  store i32 -1, ptr %23, align 4
  %24 = load i32, ptr %6, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [60 x i32], ptr @back_heads, i64 0, i64 %25
  store i32 -1, ptr %26, align 4
  %27 = load i32, ptr %6, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [60 x i32], ptr @heads, i64 0, i64 %28
  store i32 -1, ptr %29, align 4
  br label %30

30:
  %31 = load i32, ptr %6, align 4
  %32 = add nsw i32 %31, 1
  store i32 %32, ptr %6, align 4
  br label %14, !llvm.loop !9

33:
  store i32 0, ptr %7, align 4
  br label %34

34:
  %35 = load i32, ptr %7, align 4
  %36 = icmp slt i32 %35, 90
  br i1 %36, label %37, label %93

37:
  %38 = load i32, ptr %2, align 4
  %39 = mul i32 %38, 1664525
  %40 = add i32 %39, 1013904223
  store i32 %40, ptr %2, align 4
  %41 = load i32, ptr %2, align 4
  %42 = lshr i32 %41, 16
  %43 = srem i32 %42, 60
  %44 = load i32, ptr %7, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [90 x i32], ptr @sources, i64 0, i64 %45
  store i32 %43, ptr %46, align 4
  %47 = load i32, ptr %2, align 4
  %48 = mul i32 %47, 1664525
  %49 = add i32 %48, 1013904223
  store i32 %49, ptr %2, align 4
  %50 = load i32, ptr %2, align 4
  %51 = lshr i32 %50, 16
  %52 = srem i32 %51, 60
  %53 = load i32, ptr %7, align 4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [90 x i32], ptr @targets, i64 0, i64 %54
  store i32 %52, ptr %55, align 4
  %56 = load i32, ptr %7, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds [90 x i32], ptr @sources, i64 0, i64 %57
  %59 = load i32, ptr %58, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds [60 x i32], ptr @heads, i64 0, i64 %60
  %62 = load i32, ptr %61, align 4
  %63 = load i32, ptr %7, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [90 x i32], ptr @nexts, i64 0, i64 %64
  store i32 %62, ptr %65, align 4
  %66 = load i32, ptr %7, align 4
  %67 = load i32, ptr %7, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [90 x i32], ptr @sources, i64 0, i64 %68
  %70 = load i32, ptr %69, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [60 x i32], ptr @heads, i64 0, i64 %71
  store i32 %66, ptr %72, align 4
  %73 = load i32, ptr %7, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [90 x i32], ptr @targets, i64 0, i64 %74
  %76 = load i32, ptr %75, align 4
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [60 x i32], ptr @back_heads, i64 0, i64 %77
  %79 = load i32, ptr %78, align 4
  %80 = load i32, ptr %7, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [90 x i32], ptr @back_nexts, i64 0, i64 %81
  store i32 %79, ptr %82, align 4
  %83 = load i32, ptr %7, align 4
  %84 = load i32, ptr %7, align 4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [90 x i32], ptr @targets, i64 0, i64 %85
  %87 = load i32, ptr %86, align 4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [60 x i32], ptr @back_heads, i64 0, i64 %88
  store i32 %83, ptr %89, align 4
  br label %90

90:
  %91 = load i32, ptr %7, align 4
  %92 = add nsw i32 %91, 1
  store i32 %92, ptr %7, align 4
  br label %34, !llvm.loop !10

93:
  store i32 0, ptr %8, align 4
  br label %94

94:
  %95 = load i32, ptr %8, align 4
  %96 = icmp slt i32 %95, 60
  br i1 %96, label %97, label %109

97:
  %98 = load i32, ptr %8, align 4
  %99 = sext i32 %98 to i64
  %100 = getelementptr inbounds [60 x i32], ptr @numbers, i64 0, i64 %99
  %101 = load i32, ptr %100, align 4
  %102 = icmp ne i32 %101, 0
  br i1 %102, label %105, label %103

103:
  %104 = load i32, ptr %8, align 4
  call void @tarjan(i32 noundef %104)
  br label %105

105:
  br label %106

106:
  %107 = load i32, ptr %8, align 4
  %108 = add nsw i32 %107, 1
  store i32 %108, ptr %8, align 4
  br label %94, !llvm.loop !11

109:
  store i32 0, ptr %9, align 4
  br label %110

110:
  %111 = load i32, ptr %9, align 4
  %112 = icmp slt i32 %111, 60
  br i1 %112, label %113, label %125

113:
  %114 = load i32, ptr %9, align 4
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds [60 x i32], ptr @numbers, i64 0, i64 %115
  %117 = load i32, ptr %116, align 4
  %118 = icmp ne i32 %117, 0
  br i1 %118, label %119, label %121

119:
  %120 = load i32, ptr %9, align 4
  call void @finish(i32 noundef %120)
  br label %121

121:
  br label %122

122:
  %123 = load i32, ptr %9, align 4
  %124 = add nsw i32 %123, 1
  store i32 %124, ptr %9, align 4
  br label %110, !llvm.loop !12

125:
  store i32 59, ptr %10, align 4
  br label %126

126:
  %127 = load i32, ptr %10, align 4
  %128 = icmp sge i32 %127, 0
  br i1 %128, label %129, label %149

129:
  %130 = load i32, ptr %10, align 4
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds [60 x i32], ptr @finished, i64 0, i64 %131
  %133 = load i32, ptr %132, align 4
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds [60 x i32], ptr @second, i64 0, i64 %134
  %136 = load i32, ptr %135, align 4
  %137 = icmp slt i32 %136, 0
  br i1 %137, label %138, label %145

138:
  %139 = load i32, ptr %10, align 4
  %140 = sext i32 %139 to i64
  %141 = getelementptr inbounds [60 x i32], ptr @finished, i64 0, i64 %140
  %142 = load i32, ptr %141, align 4
  %143 = load i32, ptr %5, align 4
  %144 = add nsw i32 %143, 1
  store i32 %144, ptr %5, align 4
  call void @collect(i32 noundef %142, i32 noundef %143)
  br label %145

145:
  br label %146

146:
  %147 = load i32, ptr %10, align 4
  %148 = add nsw i32 %147, -1
  store i32 %148, ptr %10, align 4
  br label %126, !llvm.loop !13

149:
  store i32 0, ptr %11, align 4
  br label %150

150:
  %151 = load i32, ptr %11, align 4
  %152 = icmp slt i32 %151, 60
  br i1 %152, label %153, label %189

153:
  store i32 0, ptr %12, align 4
  br label %154

154:
  %155 = load i32, ptr %12, align 4
  %156 = icmp slt i32 %155, 60
  br i1 %156, label %157, label %185

157:
  %158 = load i32, ptr %11, align 4
  %159 = sext i32 %158 to i64
  %160 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %159
  %161 = load i32, ptr %160, align 4
  %162 = load i32, ptr %12, align 4
  %163 = sext i32 %162 to i64
  %164 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %163
  %165 = load i32, ptr %164, align 4
  %166 = icmp eq i32 %161, %165
  %167 = zext i1 %166 to i32
  %168 = load i32, ptr %11, align 4
  %169 = sext i32 %168 to i64
  %170 = getelementptr inbounds [60 x i32], ptr @second, i64 0, i64 %169
  %171 = load i32, ptr %170, align 4
  %172 = load i32, ptr %12, align 4
  %173 = sext i32 %172 to i64
  %174 = getelementptr inbounds [60 x i32], ptr @second, i64 0, i64 %173
  %175 = load i32, ptr %174, align 4
  %176 = icmp eq i32 %171, %175
  %177 = zext i1 %176 to i32
  %178 = icmp ne i32 %167, %177
  %179 = zext i1 %178 to i32
  %180 = load i32, ptr %3, align 4
  %181 = add nsw i32 %180, %179
  store i32 %181, ptr %3, align 4
  br label %182

182:
  %183 = load i32, ptr %12, align 4
  %184 = add nsw i32 %183, 1
  store i32 %184, ptr %12, align 4
  br label %154, !llvm.loop !14

185:
  br label %186

186:
  %187 = load i32, ptr %11, align 4
  %188 = add nsw i32 %187, 1
  store i32 %188, ptr %11, align 4
  br label %150, !llvm.loop !15

189:
  store i32 0, ptr %13, align 4
  br label %190

190:
  %191 = load i32, ptr %13, align 4
  %192 = icmp slt i32 %191, 90
  br i1 %192, label %193, label %233

193:
  %194 = load i32, ptr %13, align 4
  %195 = sext i32 %194 to i64
  %196 = getelementptr inbounds [90 x i32], ptr @sources, i64 0, i64 %195
  %197 = load i32, ptr %196, align 4
  %198 = sext i32 %197 to i64
  %199 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %198
  %200 = load i32, ptr %199, align 4
  %201 = load i32, ptr %13, align 4
  %202 = sext i32 %201 to i64
  %203 = getelementptr inbounds [90 x i32], ptr @targets, i64 0, i64 %202
  %204 = load i32, ptr %203, align 4
  %205 = sext i32 %204 to i64
  %206 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %205
  %207 = load i32, ptr %206, align 4
  %208 = icmp slt i32 %200, %207
  %209 = zext i1 %208 to i32
  %210 = load i32, ptr %3, align 4
  %211 = add nsw i32 %210, %209
  store i32 %211, ptr %3, align 4
  %212 = load i32, ptr %13, align 4
  %213 = sext i32 %212 to i64
  %214 = getelementptr inbounds [90 x i32], ptr @sources, i64 0, i64 %213
  %215 = load i32, ptr %214, align 4
  %216 = sext i32 %215 to i64
  %217 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %216
  %218 = load i32, ptr %217, align 4
  %219 = load i32, ptr %13, align 4
  %220 = sext i32 %219 to i64
  %221 = getelementptr inbounds [90 x i32], ptr @targets, i64 0, i64 %220
  %222 = load i32, ptr %221, align 4
  %223 = sext i32 %222 to i64
  %224 = getelementptr inbounds [60 x i32], ptr @component, i64 0, i64 %223
  %225 = load i32, ptr %224, align 4
  %226 = icmp ne i32 %218, %225
  %227 = zext i1 %226 to i32
  %228 = load i32, ptr %4, align 4
  %229 = add nsw i32 %228, %227
  store i32 %229, ptr %4, align 4
  br label %230

230:
  %231 = load i32, ptr %13, align 4
  %232 = add nsw i32 %231, 1
  store i32 %232, ptr %13, align 4
  br label %190, !llvm.loop !16

233:
  %234 = load i32, ptr @num_components, align 4
  %235 = load i32, ptr %5, align 4
  %236 = load i32, ptr %4, align 4
  %237 = load i32, ptr %3, align 4
  %238 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %234, i32 noundef %235, i32 noundef %236, i32 noundef %237)
  %239 = load i32, ptr %3, align 4
  %240 = icmp ne i32 %239, 0
  %241 = zext i1 %240 to i32
  ret i32 %241
}

declare dso_local i32 @printf(ptr noundef, ...) #1

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
!11 = distinct !{!11, !5}
!12 = distinct !{!12, !5}
!13 = distinct !{!13, !5}
!14 = distinct !{!14, !5}
!15 = distinct !{!15, !5}
!16 = distinct !{!16, !5}
