source_filename = "adpcm.c"

%struct.state = type { i32, i32 }

@steps = internal global [89 x i32] zeroinitializer, align 16
@index_steps = internal constant [8 x i32] [i32 -1, i32 -1, i32 -1, i32 -1, i32 2, i32 4, i32 6, i32 8], align 16
@samples = internal global [500 x i32] zeroinitializer, align 16
@codes = internal global [500 x i8] zeroinitializer, align 16
@decoded = internal global [500 x i32] zeroinitializer, align 16
@smooth = internal global [500 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local i32 @clamp(i32 noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  store i32 %2, ptr %6, align 4
  %7 = load i32, ptr %4, align 4
  %8 = load i32, ptr %5, align 4
  %9 = icmp slt i32 %7, %8
  br i1 %9, label %10, label %12

10:
  %11 = load i32, ptr %5, align 4
  br label %22

12:
  %13 = load i32, ptr %4, align 4
  %14 = load i32, ptr %6, align 4
  %15 = icmp sgt i32 %13, %14
  br i1 %15, label %16, label %18

16:
  %17 = load i32, ptr %6, align 4
  br label %20

18:
  %19 = load i32, ptr %4, align 4
  br label %20

20:
  %21 = phi i32 [ %17, %16 ], [ %19, %18 ]
  br label %22

22:
  %23 = phi i32 [ %11, %10 ], [ %21, %20 ]
  ret i32 %23
}

define dso_local void @make_steps() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 7000, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %3

3:
  %4 = load i32, ptr %2, align 4
  %5 = icmp slt i32 %4, 89
  br i1 %5, label %6, label %23

6:
  %7 = load i32, ptr %1, align 4
  %8 = sdiv i32 %7, 1000
  %9 = load i32, ptr %2, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [89 x i32], ptr @steps, i64 0, i64 %10
  store i32 %8, ptr %11, align 4
  %12 = load i32, ptr %1, align 4
  %13 = sdiv i32 %12, 10
  %14 = load i32, ptr %1, align 4
  %15 = add nsw i32 %14, %13
  store i32 %15, ptr %1, align 4
  %16 = load i32, ptr %1, align 4
  %17 = icmp sgt i32 %16, 32767000
  br i1 %17, label %18, label %19

18:
  store i32 32767000, ptr %1, align 4
  br label %19

19:
  br label %20

20:
  %21 = load i32, ptr %2, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %2, align 4
  br label %3, !llvm.loop !4

23:
  ret void
}

define dso_local void @advance(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %7 = load ptr, ptr %3, align 8
  %8 = getelementptr inbounds nuw %struct.state, ptr %7, i32 0, i32 1
  %9 = load i32, ptr %8, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [89 x i32], ptr @steps, i64 0, i64 %10
  %12 = load i32, ptr %11, align 4
  store i32 %12, ptr %5, align 4
  %13 = load i32, ptr %5, align 4
  %14 = ashr i32 %13, 3
  store i32 %14, ptr %6, align 4
  %15 = load i32, ptr %4, align 4
  %16 = and i32 %15, 4
  %17 = icmp ne i32 %16, 0
  br i1 %17, label %18, label %22

18:
  %19 = load i32, ptr %5, align 4
  %20 = load i32, ptr %6, align 4
  %21 = add nsw i32 %20, %19
  store i32 %21, ptr %6, align 4
  br label %22

22:
  %23 = load i32, ptr %4, align 4
  %24 = and i32 %23, 2
  %25 = icmp ne i32 %24, 0
  br i1 %25, label %26, label %31

26:
  %27 = load i32, ptr %5, align 4
  %28 = ashr i32 %27, 1
  %29 = load i32, ptr %6, align 4
  %30 = add nsw i32 %29, %28
  store i32 %30, ptr %6, align 4
  br label %31

31:
  %32 = load i32, ptr %4, align 4
  %33 = and i32 %32, 1
  %34 = icmp ne i32 %33, 0
  br i1 %34, label %35, label %40

35:
  %36 = load i32, ptr %5, align 4
  %37 = ashr i32 %36, 2
  %38 = load i32, ptr %6, align 4
  %39 = add nsw i32 %38, %37
  store i32 %39, ptr %6, align 4
  br label %40

40:
  %41 = load ptr, ptr %3, align 8
  %42 = getelementptr inbounds nuw %struct.state, ptr %41, i32 0, i32 0
  %43 = load i32, ptr %42, align 4
  %44 = load i32, ptr %4, align 4
  %45 = and i32 %44, 8
  %46 = icmp ne i32 %45, 0
  br i1 %46, label %47, label %50

47:
  %48 = load i32, ptr %6, align 4
  %49 = sub nsw i32 0, %48
  br label %52

50:
  %51 = load i32, ptr %6, align 4
  br label %52

52:
  %53 = phi i32 [ %49, %47 ], [ %51, %50 ]
  %54 = add nsw i32 %43, %53
  %55 = call i32 @clamp(i32 noundef %54, i32 noundef -32768, i32 noundef 32767)
  %56 = load ptr, ptr %3, align 8
  %57 = getelementptr inbounds nuw %struct.state, ptr %56, i32 0, i32 0
  store i32 %55, ptr %57, align 4
  %58 = load ptr, ptr %3, align 8
  %59 = getelementptr inbounds nuw %struct.state, ptr %58, i32 0, i32 1
  %60 = load i32, ptr %59, align 4
  %61 = load i32, ptr %4, align 4
  %62 = and i32 %61, 7
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [8 x i32], ptr @index_steps, i64 0, i64 %63
  %65 = load i32, ptr %64, align 4
  %66 = add nsw i32 %60, %65
  %67 = call i32 @clamp(i32 noundef %66, i32 noundef 0, i32 noundef 88)
  %68 = load ptr, ptr %3, align 8
  %69 = getelementptr inbounds nuw %struct.state, ptr %68, i32 0, i32 1
  store i32 %67, ptr %69, align 4
  ret void
}

define dso_local i32 @encode_sample(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %9 = load ptr, ptr %3, align 8
  %10 = getelementptr inbounds nuw %struct.state, ptr %9, i32 0, i32 1
  %11 = load i32, ptr %10, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [89 x i32], ptr @steps, i64 0, i64 %12
  %14 = load i32, ptr %13, align 4
  store i32 %14, ptr %5, align 4
  %15 = load i32, ptr %4, align 4
  %16 = load ptr, ptr %3, align 8
  %17 = getelementptr inbounds nuw %struct.state, ptr %16, i32 0, i32 0
  %18 = load i32, ptr %17, align 4
  %19 = sub nsw i32 %15, %18
  store i32 %19, ptr %6, align 4
  store i32 0, ptr %7, align 4
  %20 = load i32, ptr %6, align 4
  %21 = icmp slt i32 %20, 0
  br i1 %21, label %22, label %25

22:
  store i32 8, ptr %7, align 4
  %23 = load i32, ptr %6, align 4
  %24 = sub nsw i32 0, %23
  store i32 %24, ptr %6, align 4
  br label %25

25:
  store i32 4, ptr %8, align 4
  br label %26

26:
  %27 = load i32, ptr %8, align 4
  %28 = icmp ne i32 %27, 0
  br i1 %28, label %29, label %46

29:
  %30 = load i32, ptr %6, align 4
  %31 = load i32, ptr %5, align 4
  %32 = icmp sge i32 %30, %31
  br i1 %32, label %33, label %40

33:
  %34 = load i32, ptr %8, align 4
  %35 = load i32, ptr %7, align 4
  %36 = or i32 %35, %34
  store i32 %36, ptr %7, align 4
  %37 = load i32, ptr %5, align 4
  %38 = load i32, ptr %6, align 4
  %39 = sub nsw i32 %38, %37
  store i32 %39, ptr %6, align 4
  br label %40

40:
  br label %41

41:
  %42 = load i32, ptr %8, align 4
  %43 = ashr i32 %42, 1
  store i32 %43, ptr %8, align 4
  %44 = load i32, ptr %5, align 4
  %45 = ashr i32 %44, 1
  store i32 %45, ptr %5, align 4
  br label %26, !llvm.loop !6

46:
  %47 = load ptr, ptr %3, align 8
  %48 = load i32, ptr %7, align 4
  call void @advance(ptr noundef %47, i32 noundef %48)
  %49 = load i32, ptr %7, align 4
  ret i32 %49
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca %struct.state, align 4
  %3 = alloca %struct.state, align 4
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
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  call void @llvm.memset.p0.i64(ptr align 4 %2, i8 0, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr align 4 %3, i8 0, i64 8, i1 false)
  store i32 0, ptr %4, align 4
  store i32 9000, ptr %5, align 4
  store i32 0, ptr %6, align 4
  store i32 0, ptr %7, align 4
  store i32 0, ptr %8, align 4
  call void @make_steps()
  store i32 0, ptr %9, align 4
  br label %17

17:
  %18 = load i32, ptr %9, align 4
  %19 = icmp slt i32 %18, 500
  br i1 %19, label %20, label %49

20:
  %21 = load i32, ptr %5, align 4
  %22 = sdiv i32 %21, 16
  %23 = load i32, ptr %4, align 4
  %24 = add nsw i32 %23, %22
  store i32 %24, ptr %4, align 4
  %25 = load i32, ptr %4, align 4
  %26 = sdiv i32 %25, 16
  %27 = load i32, ptr %5, align 4
  %28 = sub nsw i32 %27, %26
  store i32 %28, ptr %5, align 4
  %29 = load i32, ptr %4, align 4
  %30 = load i32, ptr %9, align 4
  %31 = srem i32 %30, 5
  %32 = mul nsw i32 %31, 100
  %33 = add nsw i32 %29, %32
  %34 = load i32, ptr %9, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [500 x i32], ptr @samples, i64 0, i64 %35
  store i32 %33, ptr %36, align 4
  %37 = load i32, ptr %9, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [500 x i32], ptr @samples, i64 0, i64 %38
  %40 = load i32, ptr %39, align 4
  %41 = call i32 @encode_sample(ptr noundef %2, i32 noundef %40)
  %42 = trunc i32 %41 to i8
  %43 = load i32, ptr %9, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [500 x i8], ptr @codes, i64 0, i64 %44
  store i8 %42, ptr %45, align 1
  br label %46

46:
  %47 = load i32, ptr %9, align 4
  %48 = add nsw i32 %47, 1
  store i32 %48, ptr %9, align 4
  br label %17, !llvm.loop !7

49:
  store i32 0, ptr %10, align 4
  br label %50

50:
  %51 = load i32, ptr %10, align 4
  %52 = icmp slt i32 %51, 500
  br i1 %52, label %53, label %103

53:
  %54 = load i32, ptr %10, align 4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [500 x i8], ptr @codes, i64 0, i64 %55
  %57 = load i8, ptr %56, align 1
  %58 = zext i8 %57 to i32
  call void @advance(ptr noundef %3, i32 noundef %58)
  %59 = getelementptr inbounds nuw %struct.state, ptr %3, i32 0, i32 0
  %60 = load i32, ptr %59, align 4
  %61 = load i32, ptr %10, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [500 x i32], ptr @decoded, i64 0, i64 %62
  store i32 %60, ptr %63, align 4
  %64 = load i32, ptr %10, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [500 x i32], ptr @decoded, i64 0, i64 %65
  %67 = load i32, ptr %66, align 4
  %68 = load i32, ptr %10, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [500 x i32], ptr @samples, i64 0, i64 %69
  %71 = load i32, ptr %70, align 4
  %72 = sub nsw i32 %67, %71
  store i32 %72, ptr %11, align 4
  %73 = load i32, ptr %11, align 4
  %74 = icmp slt i32 %73, 0
  br i1 %74, label %75, label %78

75:
  %76 = load i32, ptr %11, align 4
  %77 = sub nsw i32 0, %76
  br label %80

78:
  %79 = load i32, ptr %11, align 4
  br label %80

80:
  %81 = phi i32 [ %77, %75 ], [ %79, %78 ]
  store i32 %81, ptr %11, align 4
  %82 = load i32, ptr %10, align 4
  %83 = icmp sge i32 %82, 60
  br i1 %83, label %84, label %90

84:
  %85 = load i32, ptr %11, align 4
  %86 = load i32, ptr %7, align 4
  %87 = icmp sgt i32 %85, %86
  br i1 %87, label %88, label %90

88:
  %89 = load i32, ptr %11, align 4
  store i32 %89, ptr %7, align 4
  br label %90

90:
  %91 = load i32, ptr %6, align 4
  %92 = mul nsw i32 %91, 17
  %93 = load i32, ptr %10, align 4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds [500 x i8], ptr @codes, i64 0, i64 %94
  %96 = load i8, ptr %95, align 1
  %97 = zext i8 %96 to i32
  %98 = add nsw i32 %92, %97
  %99 = and i32 %98, 16777215
  store i32 %99, ptr %6, align 4
  br label %100

100:
  %101 = load i32, ptr %10, align 4
  %102 = add nsw i32 %101, 1
  store i32 %102, ptr %10, align 4
  br label %50, !llvm.loop !8

103:
  store i32 0, ptr %12, align 4
  store i32 0, ptr %13, align 4
  br label %104

104:
  %105 = load i32, ptr %13, align 4
  %106 = icmp slt i32 %105, 500
  br i1 %106, label %107, label %134

107:
  %108 = load i32, ptr %13, align 4
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds [500 x i32], ptr @decoded, i64 0, i64 %109
  %111 = load i32, ptr %110, align 4
  %112 = load i32, ptr %13, align 4
  %113 = icmp sge i32 %112, 8
  br i1 %113, label %114, label %120

114:
  %115 = load i32, ptr %13, align 4
  %116 = sub nsw i32 %115, 8
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds [500 x i32], ptr @decoded, i64 0, i64 %117
  %119 = load i32, ptr %118, align 4
  br label %121

120:
  br label %121

121:
  %122 = phi i32 [ %119, %114 ], [ 0, %120 ]
  %123 = sub nsw i32 %111, %122
  %124 = load i32, ptr %12, align 4
  %125 = add nsw i32 %124, %123
  store i32 %125, ptr %12, align 4
  %126 = load i32, ptr %12, align 4
  %127 = sdiv i32 %126, 8
  %128 = load i32, ptr %13, align 4
  %129 = sext i32 %128 to i64
  %130 = getelementptr inbounds [500 x i32], ptr @smooth, i64 0, i64 %129
  store i32 %127, ptr %130, align 4
  br label %131

131:
  %132 = load i32, ptr %13, align 4
  %133 = add nsw i32 %132, 1
  store i32 %133, ptr %13, align 4
  br label %104, !llvm.loop !9

134:
  store i32 7, ptr %14, align 4
  br label %135

135:
  %136 = load i32, ptr %14, align 4
  %137 = icmp slt i32 %136, 500
  br i1 %137, label %138, label %168

138:
  store i32 0, ptr %15, align 4
  store i32 0, ptr %16, align 4
  br label %139

139:
  %140 = load i32, ptr %16, align 4
  %141 = icmp slt i32 %140, 8
  br i1 %141, label %142, label %154

142:
  %143 = load i32, ptr %14, align 4
  %144 = load i32, ptr %16, align 4
  %145 = sub nsw i32 %143, %144
  %146 = sext i32 %145 to i64
  %147 = getelementptr inbounds [500 x i32], ptr @decoded, i64 0, i64 %146
  %148 = load i32, ptr %147, align 4
  %149 = load i32, ptr %15, align 4
  %150 = add nsw i32 %149, %148
  store i32 %150, ptr %15, align 4
  br label %151

151:
  %152 = load i32, ptr %16, align 4
  %153 = add nsw i32 %152, 1
  store i32 %153, ptr %16, align 4
  br label %139, !llvm.loop !10

154:
  %155 = load i32, ptr %15, align 4
  %156 = sdiv i32 %155, 8
  %157 = load i32, ptr %14, align 4
  %158 = sext i32 %157 to i64
  %159 = getelementptr inbounds [500 x i32], ptr @smooth, i64 0, i64 %158
  %160 = load i32, ptr %159, align 4
  %161 = icmp ne i32 %156, %160
  %162 = zext i1 %161 to i32
  %163 = load i32, ptr %8, align 4
  %164 = add nsw i32 %163, %162
  store i32 %164, ptr %8, align 4
  br label %165

165:
  %166 = load i32, ptr %14, align 4
  %167 = add nsw i32 %166, 1
  store i32 %167, ptr %14, align 4
  br label %135, !llvm.loop !11

168:
  %169 = getelementptr inbounds nuw %struct.state, ptr %3, i32 0, i32 0
  %170 = load i32, ptr %169, align 4
  %171 = getelementptr inbounds nuw %struct.state, ptr %2, i32 0, i32 0
  %172 = load i32, ptr %171, align 4
  %173 = icmp ne i32 %170, %172
  br i1 %173, label %180, label %174

174:
  %175 = getelementptr inbounds nuw %struct.state, ptr %3, i32 0, i32 1
  %176 = load i32, ptr %175, align 4
  %177 = getelementptr inbounds nuw %struct.state, ptr %2, i32 0, i32 1
  %178 = load i32, ptr %177, align 4
  %179 = icmp ne i32 %176, %178
  br label %180

180:
  %181 = phi i1 [ true, %168 ], [ %179, %174 ]
  %182 = zext i1 %181 to i32
  %183 = load i32, ptr %8, align 4
  %184 = add nsw i32 %183, %182
  store i32 %184, ptr %8, align 4
  %185 = load i32, ptr %6, align 4
  %186 = load i32, ptr %7, align 4
  %187 = load i32, ptr getelementptr inbounds ([500 x i32], ptr @smooth, i64 0, i64 499), align 4
  %188 = load i32, ptr %8, align 4
  %189 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %185, i32 noundef %186, i32 noundef %187, i32 noundef %188)
  %190 = load i32, ptr %8, align 4
  %191 = icmp ne i32 %190, 0
  br i1 %191, label %195, label %192

192:
  %193 = load i32, ptr %7, align 4
  %194 = icmp sgt i32 %193, 3000
  br label %195

195:
  %196 = phi i1 [ true, %180 ], [ %194, %192 ]
  %197 = zext i1 %196 to i32
  ret i32 %197
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

declare dso_local i32 @printf(ptr noundef, ...) #2

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { nounwind }
attributes #2 = { "no-trapping-math"="true" }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
!11 = distinct !{!11, !5}
