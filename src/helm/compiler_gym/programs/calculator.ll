source_filename = "calculator.c"

@at = internal global ptr null, align 8
@main.texts = internal constant [9 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4, ptr @.str.5, ptr @.str.6, ptr @.str.7, ptr @.str.8], align 16
@.str = private unnamed_addr constant [10 x i8] c"1 + 2 * 3\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"(1 + 2) * 3\00", align 1
@.str.2 = private unnamed_addr constant [12 x i8] c"100 / 7 % 5\00", align 1
@.str.3 = private unnamed_addr constant [22 x i8] c"2 * (3 + 4) * (5 - 6)\00", align 1
@.str.4 = private unnamed_addr constant [13 x i8] c"-(4 - 9) * 3\00", align 1
@.str.5 = private unnamed_addr constant [10 x i8] c"((((7))))\00", align 1
@.str.6 = private unnamed_addr constant [10 x i8] c"8 - 3 - 2\00", align 1
@.str.7 = private unnamed_addr constant [11 x i8] c"60 / 5 / 4\00", align 1
@.str.8 = private unnamed_addr constant [26 x i8] c"12 * 12 - 11 * 11 + 7 % 4\00", align 1
@.str.9 = private unnamed_addr constant [4 x i8] c"%d \00", align 1
@.str.10 = private unnamed_addr constant [7 x i8] c"%d %d\0A\00", align 1

define dso_local i32 @parse_atom() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  br label %4

4:
  %5 = load ptr, ptr @at, align 8
  %6 = load i8, ptr %5, align 1
  %7 = sext i8 %6 to i32
  %8 = icmp eq i32 %7, 32
  br i1 %8, label %9, label %12

9:
  %10 = load ptr, ptr @at, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i32 1
  store ptr %11, ptr @at, align 8
  br label %4, !llvm.loop !4

12:
  %13 = load ptr, ptr @at, align 8
  %14 = load i8, ptr %13, align 1
  %15 = sext i8 %14 to i32
  %16 = icmp eq i32 %15, 45
  br i1 %16, label %17, label %22

17:
  %18 = load ptr, ptr @at, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i32 1
  store ptr %19, ptr @at, align 8
  %20 = call i32 @parse_atom()
  %21 = sub nsw i32 0, %20
  store i32 %21, ptr %1, align 4
  br label %78

22:
  %23 = load ptr, ptr @at, align 8
  %24 = load i8, ptr %23, align 1
  %25 = sext i8 %24 to i32
  %26 = icmp eq i32 %25, 40
  br i1 %26, label %27, label %43

27:
  %28 = load ptr, ptr @at, align 8
  %29 = getelementptr inbounds nuw i8, ptr %28, i32 1
  store ptr %29, ptr @at, align 8
  %30 = call i32 @parse_sum()
  store i32 %30, ptr %2, align 4
  br label %31

31:
  %32 = load ptr, ptr @at, align 8
  %33 = load i8, ptr %32, align 1
  %34 = sext i8 %33 to i32
  %35 = icmp eq i32 %34, 32
  br i1 %35, label %36, label %39

36:
  %37 = load ptr, ptr @at, align 8
  %38 = getelementptr inbounds nuw i8, ptr %37, i32 1
  store ptr %38, ptr @at, align 8
  br label %31, !llvm.loop !6

39:
  %40 = load ptr, ptr @at, align 8
  %41 = getelementptr inbounds nuw i8, ptr %40, i32 1
  store ptr %41, ptr @at, align 8
  %42 = load i32, ptr %2, align 4
  store i32 %42, ptr %1, align 4
  br label %78

43:
  store i32 0, ptr %3, align 4
  br label %44

44:
  %45 = load ptr, ptr @at, align 8
  %46 = load i8, ptr %45, align 1
  %47 = sext i8 %46 to i32
  %48 = icmp sge i32 %47, 48
  br i1 %48, label %49, label %54

49:
  %50 = load ptr, ptr @at, align 8
  %51 = load i8, ptr %50, align 1
  %52 = sext i8 %51 to i32
  %53 = icmp sle i32 %52, 57
  br label %54

54:
  %55 = phi i1 [ false, %44 ], [ %53, %49 ]
  br i1 %55, label %56, label %67

56:
  %57 = load i32, ptr %3, align 4
  %58 = mul nsw i32 %57, 10
  %59 = load ptr, ptr @at, align 8
  %60 = load i8, ptr %59, align 1
  %61 = sext i8 %60 to i32
  %62 = sub nsw i32 %61, 48
  %63 = add nsw i32 %58, %62
  store i32 %63, ptr %3, align 4
  br label %64

64:
  %65 = load ptr, ptr @at, align 8
  %66 = getelementptr inbounds nuw i8, ptr %65, i32 1
  store ptr %66, ptr @at, align 8
  br label %44, !llvm.loop !7

67:
  br label %68

68:
  %69 = load ptr, ptr @at, align 8
  %70 = load i8, ptr %69, align 1
  %71 = sext i8 %70 to i32
  %72 = icmp eq i32 %71, 32
  br i1 %72, label %73, label %76

73:
  %74 = load ptr, ptr @at, align 8
  %75 = getelementptr inbounds nuw i8, ptr %74, i32 1
  store ptr %75, ptr @at, align 8
  br label %68, !llvm.loop !8

76:
  %77 = load i32, ptr %3, align 4
  store i32 %77, ptr %1, align 4
  br label %78

78:
  %79 = load i32, ptr %1, align 4
  ret i32 %79
}

define dso_local i32 @parse_sum() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i8, align 1
  %3 = call i32 @parse_product()
  store i32 %3, ptr %1, align 4
  br label %4

4:
  %5 = load ptr, ptr @at, align 8
  %6 = load i8, ptr %5, align 1
  %7 = sext i8 %6 to i32
  %8 = icmp eq i32 %7, 43
  br i1 %8, label %14, label %9

9:
  %10 = load ptr, ptr @at, align 8
  %11 = load i8, ptr %10, align 1
  %12 = sext i8 %11 to i32
  %13 = icmp eq i32 %12, 45
  br label %14

14:
  %15 = phi i1 [ true, %4 ], [ %13, %9 ]
  br i1 %15, label %16, label %24

16:
  %17 = load ptr, ptr @at, align 8
  %18 = getelementptr inbounds nuw i8, ptr %17, i32 1
  store ptr %18, ptr @at, align 8
  %19 = load i8, ptr %17, align 1
  store i8 %19, ptr %2, align 1
  %20 = load i8, ptr %2, align 1
  %21 = load i32, ptr %1, align 4
  %22 = call i32 @parse_product()
  %23 = call i32 @apply_operator(i8 noundef signext %20, i32 noundef %21, i32 noundef %22)
  store i32 %23, ptr %1, align 4
  br label %4, !llvm.loop !9

24:
  %25 = load i32, ptr %1, align 4
  ret i32 %25
}

define dso_local i32 @apply_operator(i8 noundef signext %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca i8, align 1
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i8 %0, ptr %5, align 1
  store i32 %1, ptr %6, align 4
  store i32 %2, ptr %7, align 4
  %8 = load i8, ptr %5, align 1
  %9 = sext i8 %8 to i32
  switch i32 %9, label %32 [
    i32 43, label %10
    i32 45, label %14
    i32 42, label %18
    i32 47, label %22
  ]

10:
  %11 = load i32, ptr %6, align 4
  %12 = load i32, ptr %7, align 4
  %13 = add nsw i32 %11, %12
  store i32 %13, ptr %4, align 4
  br label %42

14:
  %15 = load i32, ptr %6, align 4
  %16 = load i32, ptr %7, align 4
  %17 = sub nsw i32 %15, %16
  store i32 %17, ptr %4, align 4
  br label %42

18:
  %19 = load i32, ptr %6, align 4
  %20 = load i32, ptr %7, align 4
  %21 = mul nsw i32 %19, %20
  store i32 %21, ptr %4, align 4
  br label %42

22:
  %23 = load i32, ptr %7, align 4
  %24 = icmp ne i32 %23, 0
  br i1 %24, label %25, label %29

25:
  %26 = load i32, ptr %6, align 4
  %27 = load i32, ptr %7, align 4
  %28 = sdiv i32 %26, %27
  br label %30

29:
  br label %30

30:
  %31 = phi i32 [ %28, %25 ], [ 0, %29 ]
  store i32 %31, ptr %4, align 4
  br label %42

32:
  %33 = load i32, ptr %7, align 4
  %34 = icmp ne i32 %33, 0
  br i1 %34, label %35, label %39

35:
  %36 = load i32, ptr %6, align 4
  %37 = load i32, ptr %7, align 4
  %38 = srem i32 %36, %37
  br label %40

39:
  br label %40

40:
  %41 = phi i32 [ %38, %35 ], [ 0, %39 ]
  store i32 %41, ptr %4, align 4
  br label %42

42:
  %43 = load i32, ptr %4, align 4
  ret i32 %43
}

define dso_local i32 @parse_product() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i8, align 1
  %3 = call i32 @parse_atom()
  store i32 %3, ptr %1, align 4
  br label %4

4:
  br label %5

5:
  %6 = load ptr, ptr @at, align 8
  %7 = load i8, ptr %6, align 1
  %8 = sext i8 %7 to i32
  %9 = icmp eq i32 %8, 32
  br i1 %9, label %10, label %13

10:
  %11 = load ptr, ptr @at, align 8
  %12 = getelementptr inbounds nuw i8, ptr %11, i32 1
  store ptr %12, ptr @at, align 8
  br label %5, !llvm.loop !10

13:
  %14 = load ptr, ptr @at, align 8
  %15 = load i8, ptr %14, align 1
  %16 = sext i8 %15 to i32
  %17 = icmp ne i32 %16, 42
  br i1 %17, label %18, label %30

18:
  %19 = load ptr, ptr @at, align 8
  %20 = load i8, ptr %19, align 1
  %21 = sext i8 %20 to i32
  %22 = icmp ne i32 %21, 47
  br i1 %22, label %23, label %30

23:
  %24 = load ptr, ptr @at, align 8
  %25 = load i8, ptr %24, align 1
  %26 = sext i8 %25 to i32
  %27 = icmp ne i32 %26, 37
  br i1 %27, label %28, label %30

28:
  %29 = load i32, ptr %1, align 4
  ret i32 %29

30:
  %31 = load ptr, ptr @at, align 8
  %32 = getelementptr inbounds nuw i8, ptr %31, i32 1
  store ptr %32, ptr @at, align 8
  %33 = load i8, ptr %31, align 1
  store i8 %33, ptr %2, align 1
  %34 = load i8, ptr %2, align 1
  %35 = load i32, ptr %1, align 4
  %36 = call i32 @parse_atom()
  %37 = call i32 @apply_operator(i8 noundef signext %34, i32 noundef %35, i32 noundef %36)
  store i32 %37, ptr %1, align 4
  br label %4
}

define dso_local i32 @rank_of(i8 noundef signext %0) #0 {
  %2 = alloca i8, align 1
  store i8 %0, ptr %2, align 1
  %3 = load i8, ptr %2, align 1
  %4 = sext i8 %3 to i32
  %5 = icmp eq i32 %4, 40
  br i1 %5, label %6, label %7

6:
  br label %19

7:
  %8 = load i8, ptr %2, align 1
  %9 = sext i8 %8 to i32
  %10 = icmp eq i32 %9, 43
  br i1 %10, label %15, label %11

11:
  %12 = load i8, ptr %2, align 1
  %13 = sext i8 %12 to i32
  %14 = icmp eq i32 %13, 45
  br label %15

15:
  %16 = phi i1 [ true, %7 ], [ %14, %11 ]
  %17 = zext i1 %16 to i64
  %18 = select i1 %16, i32 1, i32 2
  br label %19

19:
  %20 = phi i32 [ 0, %6 ], [ %18, %15 ]
  ret i32 %20
}

define dso_local i32 @evaluate_by_stacks(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca [32 x i32], align 16
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca [32 x i8], align 16
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 1, ptr %6, align 4
  br label %12

12:
  %13 = load ptr, ptr %2, align 8
  %14 = load i8, ptr %13, align 1
  %15 = sext i8 %14 to i32
  %16 = icmp eq i32 %15, 32
  br i1 %16, label %17, label %18

17:
  br label %172

18:
  %19 = load ptr, ptr %2, align 8
  %20 = load i8, ptr %19, align 1
  %21 = sext i8 %20 to i32
  %22 = icmp sge i32 %21, 48
  br i1 %22, label %23, label %60

23:
  %24 = load ptr, ptr %2, align 8
  %25 = load i8, ptr %24, align 1
  %26 = sext i8 %25 to i32
  %27 = icmp sle i32 %26, 57
  br i1 %27, label %28, label %60

28:
  store i32 0, ptr %8, align 4
  br label %29

29:
  %30 = load ptr, ptr %2, align 8
  %31 = load i8, ptr %30, align 1
  %32 = sext i8 %31 to i32
  %33 = icmp sge i32 %32, 48
  br i1 %33, label %34, label %39

34:
  %35 = load ptr, ptr %2, align 8
  %36 = load i8, ptr %35, align 1
  %37 = sext i8 %36 to i32
  %38 = icmp sle i32 %37, 57
  br label %39

39:
  %40 = phi i1 [ false, %29 ], [ %38, %34 ]
  br i1 %40, label %41, label %52

41:
  %42 = load i32, ptr %8, align 4
  %43 = mul nsw i32 %42, 10
  %44 = load ptr, ptr %2, align 8
  %45 = load i8, ptr %44, align 1
  %46 = sext i8 %45 to i32
  %47 = sub nsw i32 %46, 48
  %48 = add nsw i32 %43, %47
  store i32 %48, ptr %8, align 4
  br label %49

49:
  %50 = load ptr, ptr %2, align 8
  %51 = getelementptr inbounds nuw i8, ptr %50, i32 1
  store ptr %51, ptr %2, align 8
  br label %29, !llvm.loop !11

52:
  %53 = load ptr, ptr %2, align 8
  %54 = getelementptr inbounds i8, ptr %53, i32 -1
  store ptr %54, ptr %2, align 8
  %55 = load i32, ptr %8, align 4
  %56 = load i32, ptr %4, align 4
  %57 = add nsw i32 %56, 1
  store i32 %57, ptr %4, align 4
  %58 = sext i32 %56 to i64
  %59 = getelementptr inbounds [32 x i32], ptr %3, i64 0, i64 %58
  store i32 %55, ptr %59, align 4
  store i32 0, ptr %6, align 4
  br label %172

60:
  %61 = load ptr, ptr %2, align 8
  %62 = load i8, ptr %61, align 1
  %63 = sext i8 %62 to i32
  %64 = icmp eq i32 %63, 40
  br i1 %64, label %65, label %70

65:
  %66 = load i32, ptr %5, align 4
  %67 = add nsw i32 %66, 1
  store i32 %67, ptr %5, align 4
  %68 = sext i32 %66 to i64
  %69 = getelementptr inbounds [32 x i8], ptr %7, i64 0, i64 %68
  store i8 40, ptr %69, align 1
  br label %172

70:
  %71 = load ptr, ptr %2, align 8
  %72 = load i8, ptr %71, align 1
  %73 = sext i8 %72 to i32
  %74 = icmp eq i32 %73, 45
  br i1 %74, label %75, label %87

75:
  %76 = load i32, ptr %6, align 4
  %77 = icmp ne i32 %76, 0
  br i1 %77, label %78, label %87

78:
  %79 = load i32, ptr %4, align 4
  %80 = add nsw i32 %79, 1
  store i32 %80, ptr %4, align 4
  %81 = sext i32 %79 to i64
  %82 = getelementptr inbounds [32 x i32], ptr %3, i64 0, i64 %81
  store i32 -1, ptr %82, align 4
  %83 = load i32, ptr %5, align 4
  %84 = add nsw i32 %83, 1
  store i32 %84, ptr %5, align 4
  %85 = sext i32 %83 to i64
  %86 = getelementptr inbounds [32 x i8], ptr %7, i64 0, i64 %85
  store i8 42, ptr %86, align 1
  br label %172

87:
  %88 = load ptr, ptr %2, align 8
  %89 = load i8, ptr %88, align 1
  %90 = sext i8 %89 to i32
  %91 = icmp ne i32 %90, 0
  br i1 %91, label %92, label %101

92:
  %93 = load ptr, ptr %2, align 8
  %94 = load i8, ptr %93, align 1
  %95 = sext i8 %94 to i32
  %96 = icmp ne i32 %95, 41
  br i1 %96, label %97, label %101

97:
  %98 = load ptr, ptr %2, align 8
  %99 = load i8, ptr %98, align 1
  %100 = call i32 @rank_of(i8 noundef signext %99)
  br label %102

101:
  br label %102

102:
  %103 = phi i32 [ %100, %97 ], [ 1, %101 ]
  store i32 %103, ptr %9, align 4
  br label %104

104:
  %105 = load i32, ptr %5, align 4
  %106 = icmp ne i32 %105, 0
  br i1 %106, label %107, label %124

107:
  %108 = load i32, ptr %5, align 4
  %109 = sub nsw i32 %108, 1
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds [32 x i8], ptr %7, i64 0, i64 %110
  %112 = load i8, ptr %111, align 1
  %113 = sext i8 %112 to i32
  %114 = icmp ne i32 %113, 40
  br i1 %114, label %115, label %124

115:
  %116 = load i32, ptr %5, align 4
  %117 = sub nsw i32 %116, 1
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds [32 x i8], ptr %7, i64 0, i64 %118
  %120 = load i8, ptr %119, align 1
  %121 = call i32 @rank_of(i8 noundef signext %120)
  %122 = load i32, ptr %9, align 4
  %123 = icmp sge i32 %121, %122
  br label %124

124:
  %125 = phi i1 [ false, %107 ], [ false, %104 ], [ %123, %115 ]
  br i1 %125, label %126, label %149

126:
  %127 = load i32, ptr %4, align 4
  %128 = add nsw i32 %127, -1
  store i32 %128, ptr %4, align 4
  %129 = sext i32 %128 to i64
  %130 = getelementptr inbounds [32 x i32], ptr %3, i64 0, i64 %129
  %131 = load i32, ptr %130, align 4
  store i32 %131, ptr %10, align 4
  %132 = load i32, ptr %4, align 4
  %133 = add nsw i32 %132, -1
  store i32 %133, ptr %4, align 4
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds [32 x i32], ptr %3, i64 0, i64 %134
  %136 = load i32, ptr %135, align 4
  store i32 %136, ptr %11, align 4
  %137 = load i32, ptr %5, align 4
  %138 = add nsw i32 %137, -1
  store i32 %138, ptr %5, align 4
  %139 = sext i32 %138 to i64
  %140 = getelementptr inbounds [32 x i8], ptr %7, i64 0, i64 %139
  %141 = load i8, ptr %140, align 1
  %142 = load i32, ptr %11, align 4
  %143 = load i32, ptr %10, align 4
  %144 = call i32 @apply_operator(i8 noundef signext %141, i32 noundef %142, i32 noundef %143)
  %145 = load i32, ptr %4, align 4
  %146 = add nsw i32 %145, 1
  store i32 %146, ptr %4, align 4
  %147 = sext i32 %145 to i64
  %148 = getelementptr inbounds [32 x i32], ptr %3, i64 0, i64 %147
  store i32 %144, ptr %148, align 4
  br label %104, !llvm.loop !12

149:
  %150 = load ptr, ptr %2, align 8
  %151 = load i8, ptr %150, align 1
  %152 = icmp ne i8 %151, 0
  br i1 %152, label %156, label %153

153:
  %154 = getelementptr inbounds [32 x i32], ptr %3, i64 0, i64 0
  %155 = load i32, ptr %154, align 16
  ret i32 %155

156:
  %157 = load ptr, ptr %2, align 8
  %158 = load i8, ptr %157, align 1
  %159 = sext i8 %158 to i32
  %160 = icmp eq i32 %159, 41
  br i1 %160, label %161, label %164

161:
  %162 = load i32, ptr %5, align 4
  %163 = add nsw i32 %162, -1
  store i32 %163, ptr %5, align 4
  br label %171

164:
  %165 = load ptr, ptr %2, align 8
  %166 = load i8, ptr %165, align 1
  %167 = load i32, ptr %5, align 4
  %168 = add nsw i32 %167, 1
  store i32 %168, ptr %5, align 4
  %169 = sext i32 %167 to i64
  %170 = getelementptr inbounds [32 x i8], ptr %7, i64 0, i64 %169
  store i8 %166, ptr %170, align 1
  store i32 1, ptr %6, align 4
  br label %171

171:
  br label %172

172:
  %173 = load ptr, ptr %2, align 8
  %174 = getelementptr inbounds nuw i8, ptr %173, i32 1
  store ptr %174, ptr %2, align 8
  br label %12
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %7

7:
  %8 = load i32, ptr %4, align 4
  %9 = icmp slt i32 %8, 9
  br i1 %9, label %10, label %35

10:
  %11 = load i32, ptr %4, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [9 x ptr], ptr @main.texts, i64 0, i64 %12
  %14 = load ptr, ptr %13, align 8
  store ptr %14, ptr @at, align 8
  %15 = call i32 @parse_sum()
  store i32 %15, ptr %5, align 4
  %16 = load i32, ptr %4, align 4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds [9 x ptr], ptr @main.texts, i64 0, i64 %17
  %19 = load ptr, ptr %18, align 8
  %20 = call i32 @evaluate_by_stacks(ptr noundef %19)
  store i32 %20, ptr %6, align 4
  %21 = load i32, ptr %5, align 4
  %22 = load i32, ptr %6, align 4
  %23 = icmp ne i32 %21, %22
  %24 = zext i1 %23 to i32
  %25 = load i32, ptr %2, align 4
  %26 = add nsw i32 %25, %24
  store i32 %26, ptr %2, align 4
  %27 = load i32, ptr %5, align 4
  %28 = load i32, ptr %3, align 4
  %29 = add nsw i32 %28, %27
  store i32 %29, ptr %3, align 4
  %30 = load i32, ptr %5, align 4
  %31 = call i32 (ptr, ...) @printf(ptr noundef @.str.9, i32 noundef %30)
  br label %32

32:
  %33 = load i32, ptr %4, align 4
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %4, align 4
  br label %7, !llvm.loop !13

35:
  %36 = load i32, ptr %3, align 4
  %37 = load i32, ptr %2, align 4
  %38 = call i32 (ptr, ...) @printf(ptr noundef @.str.10, i32 noundef %36, i32 noundef %37)
  %39 = load i32, ptr %2, align 4
  ret i32 %39
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
