source_filename = "lz77.c"

@last_seen = internal global [256 x i32] zeroinitializer, align 16
@main.words = internal constant [6 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4, ptr @.str.5], align 16
@.str = private unnamed_addr constant [6 x i8] c"loop \00", align 1
@.str.1 = private unnamed_addr constant [6 x i8] c"pass \00", align 1
@.str.2 = private unnamed_addr constant [8 x i8] c"inline \00", align 1
@.str.3 = private unnamed_addr constant [8 x i8] c"vector \00", align 1
@.str.4 = private unnamed_addr constant [7 x i8] c"block\0A\00", align 1
@.str.5 = private unnamed_addr constant [8 x i8] c"unroll \00", align 1
@text = internal global [2000 x i8] zeroinitializer, align 16
@packed = internal global [4000 x i8] zeroinitializer, align 16
@unpacked = internal global [2000 x i8] zeroinitializer, align 16
@.str.6 = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local i32 @compress(ptr noundef %0, i32 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store ptr %2, ptr %6, align 8
  store i32 0, ptr %7, align 4
  store i32 0, ptr %8, align 4
  store i32 0, ptr %9, align 4
  br label %14

14:
  %15 = load i32, ptr %9, align 4
  %16 = icmp slt i32 %15, 256
  br i1 %16, label %17, label %24

17:
  %18 = load i32, ptr %9, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [256 x i32], ptr @last_seen, i64 0, i64 %19
  store i32 -1, ptr %20, align 4
  br label %21

21:
  %22 = load i32, ptr %9, align 4
  %23 = add nsw i32 %22, 1
  store i32 %23, ptr %9, align 4
  br label %14, !llvm.loop !4

24:
  br label %25

25:
  %26 = load i32, ptr %7, align 4
  %27 = load i32, ptr %5, align 4
  %28 = icmp slt i32 %26, %27
  br i1 %28, label %29, label %168

29:
  store i32 0, ptr %10, align 4
  store i32 0, ptr %11, align 4
  %30 = load i32, ptr %7, align 4
  %31 = add nsw i32 %30, 3
  %32 = load i32, ptr %5, align 4
  %33 = icmp sle i32 %31, %32
  br i1 %33, label %34, label %114

34:
  %35 = load ptr, ptr %4, align 8
  %36 = load i32, ptr %7, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i8, ptr %35, i64 %37
  %39 = load i8, ptr %38, align 1
  %40 = zext i8 %39 to i32
  %41 = mul nsw i32 %40, 7
  %42 = load ptr, ptr %4, align 8
  %43 = load i32, ptr %7, align 4
  %44 = add nsw i32 %43, 1
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds i8, ptr %42, i64 %45
  %47 = load i8, ptr %46, align 1
  %48 = zext i8 %47 to i32
  %49 = mul nsw i32 %48, 31
  %50 = add nsw i32 %41, %49
  %51 = load ptr, ptr %4, align 8
  %52 = load i32, ptr %7, align 4
  %53 = add nsw i32 %52, 2
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds i8, ptr %51, i64 %54
  %56 = load i8, ptr %55, align 1
  %57 = zext i8 %56 to i32
  %58 = mul nsw i32 %57, 127
  %59 = add nsw i32 %50, %58
  %60 = and i32 %59, 255
  store i32 %60, ptr %12, align 4
  %61 = load i32, ptr %12, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [256 x i32], ptr @last_seen, i64 0, i64 %62
  %64 = load i32, ptr %63, align 4
  store i32 %64, ptr %13, align 4
  %65 = load i32, ptr %13, align 4
  %66 = icmp sge i32 %65, 0
  br i1 %66, label %67, label %109

67:
  %68 = load i32, ptr %7, align 4
  %69 = load i32, ptr %13, align 4
  %70 = sub nsw i32 %68, %69
  %71 = icmp slt i32 %70, 256
  br i1 %71, label %72, label %109

72:
  %73 = load i32, ptr %7, align 4
  %74 = load i32, ptr %13, align 4
  %75 = sub nsw i32 %73, %74
  store i32 %75, ptr %11, align 4
  br label %76

76:
  %77 = load i32, ptr %10, align 4
  %78 = icmp slt i32 %77, 255
  br i1 %78, label %79, label %103

79:
  %80 = load i32, ptr %7, align 4
  %81 = load i32, ptr %10, align 4
  %82 = add nsw i32 %80, %81
  %83 = load i32, ptr %5, align 4
  %84 = icmp slt i32 %82, %83
  br i1 %84, label %85, label %103

85:
  %86 = load ptr, ptr %4, align 8
  %87 = load i32, ptr %13, align 4
  %88 = load i32, ptr %10, align 4
  %89 = add nsw i32 %87, %88
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds i8, ptr %86, i64 %90
  %92 = load i8, ptr %91, align 1
  %93 = zext i8 %92 to i32
  %94 = load ptr, ptr %4, align 8
  %95 = load i32, ptr %7, align 4
  %96 = load i32, ptr %10, align 4
  %97 = add nsw i32 %95, %96
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds i8, ptr %94, i64 %98
  %100 = load i8, ptr %99, align 1
  %101 = zext i8 %100 to i32
  %102 = icmp eq i32 %93, %101
  br label %103

103:
  %104 = phi i1 [ false, %79 ], [ false, %76 ], [ %102, %85 ]
  br i1 %104, label %105, label %108

105:
  %106 = load i32, ptr %10, align 4
  %107 = add nsw i32 %106, 1
  store i32 %107, ptr %10, align 4
  br label %76, !llvm.loop !6

108:
  br label %109

109:
  %110 = load i32, ptr %7, align 4
  %111 = load i32, ptr %12, align 4
  %112 = sext i32 %111 to i64
  %113 = getelementptr inbounds [256 x i32], ptr @last_seen, i64 0, i64 %112
  store i32 %110, ptr %113, align 4
  br label %114

114:
  %115 = load i32, ptr %10, align 4
  %116 = icmp sge i32 %115, 4
  br i1 %116, label %117, label %140

117:
  %118 = load ptr, ptr %6, align 8
  %119 = load i32, ptr %8, align 4
  %120 = add nsw i32 %119, 1
  store i32 %120, ptr %8, align 4
  %121 = sext i32 %119 to i64
  %122 = getelementptr inbounds i8, ptr %118, i64 %121
  store i8 0, ptr %122, align 1
  %123 = load i32, ptr %11, align 4
  %124 = trunc i32 %123 to i8
  %125 = load ptr, ptr %6, align 8
  %126 = load i32, ptr %8, align 4
  %127 = add nsw i32 %126, 1
  store i32 %127, ptr %8, align 4
  %128 = sext i32 %126 to i64
  %129 = getelementptr inbounds i8, ptr %125, i64 %128
  store i8 %124, ptr %129, align 1
  %130 = load i32, ptr %10, align 4
  %131 = trunc i32 %130 to i8
  %132 = load ptr, ptr %6, align 8
  %133 = load i32, ptr %8, align 4
  %134 = add nsw i32 %133, 1
  store i32 %134, ptr %8, align 4
  %135 = sext i32 %133 to i64
  %136 = getelementptr inbounds i8, ptr %132, i64 %135
  store i8 %131, ptr %136, align 1
  %137 = load i32, ptr %10, align 4
  %138 = load i32, ptr %7, align 4
  %139 = add nsw i32 %138, %137
  store i32 %139, ptr %7, align 4
  br label %167

140:
  %141 = load ptr, ptr %4, align 8
  %142 = load i32, ptr %7, align 4
  %143 = sext i32 %142 to i64
  %144 = getelementptr inbounds i8, ptr %141, i64 %143
  %145 = load i8, ptr %144, align 1
  %146 = zext i8 %145 to i32
  %147 = icmp eq i32 %146, 0
  br i1 %147, label %148, label %154

148:
  %149 = load ptr, ptr %6, align 8
  %150 = load i32, ptr %8, align 4
  %151 = add nsw i32 %150, 1
  store i32 %151, ptr %8, align 4
  %152 = sext i32 %150 to i64
  %153 = getelementptr inbounds i8, ptr %149, i64 %152
  store i8 0, ptr %153, align 1
  br label %154

154:
  %155 = load ptr, ptr %4, align 8
  %156 = load i32, ptr %7, align 4
  %157 = sext i32 %156 to i64
  %158 = getelementptr inbounds i8, ptr %155, i64 %157
  %159 = load i8, ptr %158, align 1
  %160 = load ptr, ptr %6, align 8
  %161 = load i32, ptr %8, align 4
  %162 = add nsw i32 %161, 1
  store i32 %162, ptr %8, align 4
  %163 = sext i32 %161 to i64
  %164 = getelementptr inbounds i8, ptr %160, i64 %163
  store i8 %159, ptr %164, align 1
  %165 = load i32, ptr %7, align 4
  %166 = add nsw i32 %165, 1
  store i32 %166, ptr %7, align 4
  br label %167

167:
  br label %25, !llvm.loop !7

168:
  %169 = load i32, ptr %8, align 4
  ret i32 %169
}

define dso_local i32 @decompress(ptr noundef %0, i32 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store ptr %2, ptr %6, align 8
  store i32 0, ptr %7, align 4
  store i32 0, ptr %8, align 4
  br label %11

11:
  %12 = load i32, ptr %8, align 4
  %13 = load i32, ptr %5, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %88

15:
  %16 = load ptr, ptr %4, align 8
  %17 = load i32, ptr %8, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds i8, ptr %16, i64 %18
  %20 = load i8, ptr %19, align 1
  %21 = icmp ne i8 %20, 0
  br i1 %21, label %22, label %33

22:
  %23 = load ptr, ptr %4, align 8
  %24 = load i32, ptr %8, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds i8, ptr %23, i64 %25
  %27 = load i8, ptr %26, align 1
  %28 = load ptr, ptr %6, align 8
  %29 = load i32, ptr %7, align 4
  %30 = add nsw i32 %29, 1
  store i32 %30, ptr %7, align 4
  %31 = sext i32 %29 to i64
  %32 = getelementptr inbounds i8, ptr %28, i64 %31
  store i8 %27, ptr %32, align 1
  br label %84

33:
  %34 = load ptr, ptr %4, align 8
  %35 = load i32, ptr %8, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %8, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i8, ptr %34, i64 %37
  %39 = load i8, ptr %38, align 1
  %40 = zext i8 %39 to i32
  %41 = icmp eq i32 %40, 0
  br i1 %41, label %42, label %48

42:
  %43 = load ptr, ptr %6, align 8
  %44 = load i32, ptr %7, align 4
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %7, align 4
  %46 = sext i32 %44 to i64
  %47 = getelementptr inbounds i8, ptr %43, i64 %46
  store i8 0, ptr %47, align 1
  br label %83

48:
  %49 = load ptr, ptr %4, align 8
  %50 = load i32, ptr %8, align 4
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %8, align 4
  %52 = sext i32 %50 to i64
  %53 = getelementptr inbounds i8, ptr %49, i64 %52
  %54 = load i8, ptr %53, align 1
  %55 = zext i8 %54 to i32
  store i32 %55, ptr %9, align 4
  %56 = load ptr, ptr %4, align 8
  %57 = load i32, ptr %8, align 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds i8, ptr %56, i64 %58
  %60 = load i8, ptr %59, align 1
  %61 = zext i8 %60 to i32
  store i32 %61, ptr %10, align 4
  br label %62

62:
  %63 = load i32, ptr %10, align 4
  %64 = icmp sgt i32 %63, 0
  br i1 %64, label %65, label %82

65:
  %66 = load ptr, ptr %6, align 8
  %67 = load i32, ptr %7, align 4
  %68 = load i32, ptr %9, align 4
  %69 = sub nsw i32 %67, %68
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds i8, ptr %66, i64 %70
  %72 = load i8, ptr %71, align 1
  %73 = load ptr, ptr %6, align 8
  %74 = load i32, ptr %7, align 4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds i8, ptr %73, i64 %75
  store i8 %72, ptr %76, align 1
  br label %77

77:
  %78 = load i32, ptr %10, align 4
  %79 = add nsw i32 %78, -1
  store i32 %79, ptr %10, align 4
  %80 = load i32, ptr %7, align 4
  %81 = add nsw i32 %80, 1
  store i32 %81, ptr %7, align 4
  br label %62, !llvm.loop !8

82:
  br label %83

83:
  br label %84

84:
  br label %85

85:
  %86 = load i32, ptr %8, align 4
  %87 = add nsw i32 %86, 1
  store i32 %87, ptr %8, align 4
  br label %11, !llvm.loop !9

88:
  %89 = load i32, ptr %7, align 4
  ret i32 %89
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 3, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %11

11:
  %12 = load i32, ptr %3, align 4
  %13 = icmp slt i32 %12, 2000
  br i1 %13, label %14, label %57

14:
  %15 = load i32, ptr %2, align 4
  %16 = mul i32 %15, 1103515245
  %17 = add i32 %16, 12345
  store i32 %17, ptr %2, align 4
  %18 = load i32, ptr %2, align 4
  %19 = lshr i32 %18, 16
  %20 = urem i32 %19, 6
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds nuw [6 x ptr], ptr @main.words, i64 0, i64 %21
  %23 = load ptr, ptr %22, align 8
  store ptr %23, ptr %6, align 8
  br label %24

24:
  %25 = load ptr, ptr %6, align 8
  %26 = load i8, ptr %25, align 1
  %27 = sext i8 %26 to i32
  %28 = icmp ne i32 %27, 0
  br i1 %28, label %29, label %32

29:
  %30 = load i32, ptr %3, align 4
  %31 = icmp slt i32 %30, 2000
  br label %32

32:
  %33 = phi i1 [ false, %24 ], [ %31, %29 ]
  br i1 %33, label %34, label %44

34:
  %35 = load ptr, ptr %6, align 8
  %36 = load i8, ptr %35, align 1
  %37 = load i32, ptr %3, align 4
  %38 = add nsw i32 %37, 1
  store i32 %38, ptr %3, align 4
  %39 = sext i32 %37 to i64
  %40 = getelementptr inbounds [2000 x i8], ptr @text, i64 0, i64 %39
  store i8 %36, ptr %40, align 1
  br label %41

41:
  %42 = load ptr, ptr %6, align 8
  %43 = getelementptr inbounds nuw i8, ptr %42, i32 1
  store ptr %43, ptr %6, align 8
  br label %24, !llvm.loop !10

44:
  %45 = load i32, ptr %2, align 4
  %46 = lshr i32 %45, 28
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %48, label %56

48:
  %49 = load i32, ptr %3, align 4
  %50 = icmp slt i32 %49, 2000
  br i1 %50, label %51, label %56

51:
  %52 = load i32, ptr %3, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %3, align 4
  %54 = sext i32 %52 to i64
  %55 = getelementptr inbounds [2000 x i8], ptr @text, i64 0, i64 %54
  store i8 0, ptr %55, align 1
  br label %56

56:
  br label %11, !llvm.loop !11

57:
  %58 = load i32, ptr %3, align 4
  %59 = call i32 @compress(ptr noundef @text, i32 noundef %58, ptr noundef @packed)
  store i32 %59, ptr %7, align 4
  %60 = load i32, ptr %7, align 4
  %61 = call i32 @decompress(ptr noundef @packed, i32 noundef %60, ptr noundef @unpacked)
  store i32 %61, ptr %8, align 4
  store i32 0, ptr %9, align 4
  br label %62

62:
  %63 = load i32, ptr %9, align 4
  %64 = load i32, ptr %3, align 4
  %65 = icmp slt i32 %63, %64
  br i1 %65, label %66, label %84

66:
  %67 = load i32, ptr %9, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [2000 x i8], ptr @text, i64 0, i64 %68
  %70 = load i8, ptr %69, align 1
  %71 = zext i8 %70 to i32
  %72 = load i32, ptr %9, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [2000 x i8], ptr @unpacked, i64 0, i64 %73
  %75 = load i8, ptr %74, align 1
  %76 = zext i8 %75 to i32
  %77 = icmp ne i32 %71, %76
  %78 = zext i1 %77 to i32
  %79 = load i32, ptr %4, align 4
  %80 = add nsw i32 %79, %78
  store i32 %80, ptr %4, align 4
  br label %81

81:
  %82 = load i32, ptr %9, align 4
  %83 = add nsw i32 %82, 1
  store i32 %83, ptr %9, align 4
  br label %62, !llvm.loop !12

84:
  store i32 0, ptr %10, align 4
  br label %85

85:
  %86 = load i32, ptr %10, align 4
  %87 = load i32, ptr %7, align 4
  %88 = icmp slt i32 %86, %87
  br i1 %88, label %89, label %102

89:
  %90 = load i32, ptr %5, align 4
  %91 = mul nsw i32 %90, 31
  %92 = load i32, ptr %10, align 4
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds [4000 x i8], ptr @packed, i64 0, i64 %93
  %95 = load i8, ptr %94, align 1
  %96 = zext i8 %95 to i32
  %97 = add nsw i32 %91, %96
  %98 = and i32 %97, 16777215
  store i32 %98, ptr %5, align 4
  br label %99

99:
  %100 = load i32, ptr %10, align 4
  %101 = add nsw i32 %100, 1
  store i32 %101, ptr %10, align 4
  br label %85, !llvm.loop !13

102:
  %103 = load i32, ptr %7, align 4
  %104 = load i32, ptr %8, align 4
  %105 = load i32, ptr %5, align 4
  %106 = load i32, ptr %4, align 4
  %107 = call i32 (ptr, ...) @printf(ptr noundef @.str.6, i32 noundef %103, i32 noundef %104, i32 noundef %105, i32 noundef %106)
  %108 = load i32, ptr %4, align 4
  %109 = icmp ne i32 %108, 0
  br i1 %109, label %118, label %110

110:
  %111 = load i32, ptr %8, align 4
  %112 = load i32, ptr %3, align 4
  %113 = icmp ne i32 %111, %112
  br i1 %113, label %118, label %114

114:
  %115 = load i32, ptr %7, align 4
  %116 = load i32, ptr %3, align 4
  %117 = icmp sge i32 %115, %116
  br label %118

118:
  %119 = phi i1 [ true, %110 ], [ true, %102 ], [ %117, %114 ]
  %120 = zext i1 %119 to i32
  ret i32 %120
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
