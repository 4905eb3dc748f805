source_filename = "lu.c"

@matrix = internal global [12 x [12 x double]] zeroinitializer, align 16
@work = internal global [12 x [12 x double]] zeroinitializer, align 16
@lower = internal global [12 x [12 x double]] zeroinitializer, align 16
@inverse = internal global [12 x [12 x double]] zeroinitializer, align 16
@.str = private unnamed_addr constant [19 x i8] c"%.6f %.6f %.6f %d\0A\00", align 1

define dso_local double @absolute(double noundef %0) #0 {
  %2 = alloca double, align 8
  store double %0, ptr %2, align 8
  %3 = load double, ptr %2, align 8
  %4 = fcmp olt double %3, 0.000000e+00
  br i1 %4, label %5, label %8

5:
  %6 = load double, ptr %2, align 8
  %7 = fneg double %6
  br label %10

8:
  %9 = load double, ptr %2, align 8
  br label %10

10:
  %11 = phi double [ %7, %5 ], [ %9, %8 ]
  ret double %11
}

define dso_local double @square_root(double noundef %0) #0 {
  %2 = alloca double, align 8
  %3 = alloca double, align 8
  %4 = alloca i32, align 4
  store double %0, ptr %2, align 8
  %5 = load double, ptr %2, align 8
  %6 = fcmp ogt double %5, 1.000000e+00
  br i1 %6, label %7, label %9

7:
  %8 = load double, ptr %2, align 8
  br label %10

9:
  br label %10

10:
  %11 = phi double [ %8, %7 ], [ 1.000000e+00, %9 ]
  store double %11, ptr %3, align 8
  store i32 0, ptr %4, align 4
  br label %12

12:
  %13 = load i32, ptr %4, align 4
  %14 = icmp slt i32 %13, 50
  br i1 %14, label %15, label %25

15:
  %16 = load double, ptr %3, align 8
  %17 = load double, ptr %2, align 8
  %18 = load double, ptr %3, align 8
  %19 = fdiv double %17, %18
  %20 = fadd double %16, %19
  %21 = fmul double 5.000000e-01, %20
  store double %21, ptr %3, align 8
  br label %22

22:
  %23 = load i32, ptr %4, align 4
  %24 = add nsw i32 %23, 1
  store i32 %24, ptr %4, align 4
  br label %12, !llvm.loop !4

25:
  %26 = load double, ptr %3, align 8
  ret double %26
}

define dso_local void @solve_lu(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [12 x i32], align 16
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca double, align 8
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store i32 0, ptr %6, align 4
  br label %19

19:
  %20 = load i32, ptr %6, align 4
  %21 = icmp slt i32 %20, 12
  br i1 %21, label %22, label %51

22:
  %23 = load i32, ptr %6, align 4
  %24 = load i32, ptr %6, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %25
  store i32 %23, ptr %26, align 4
  store i32 0, ptr %7, align 4
  br label %27

27:
  %28 = load i32, ptr %7, align 4
  %29 = icmp slt i32 %28, 12
  br i1 %29, label %30, label %47

30:
  %31 = load i32, ptr %6, align 4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [12 x [12 x double]], ptr @matrix, i64 0, i64 %32
  %34 = load i32, ptr %7, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [12 x double], ptr %33, i64 0, i64 %35
  %37 = load double, ptr %36, align 8
  %38 = load i32, ptr %6, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %39
  %41 = load i32, ptr %7, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [12 x double], ptr %40, i64 0, i64 %42
  store double %37, ptr %43, align 8
  br label %44

44:
  %45 = load i32, ptr %7, align 4
  %46 = add nsw i32 %45, 1
  store i32 %46, ptr %7, align 4
  br label %27, !llvm.loop !6

47:
  br label %48

48:
  %49 = load i32, ptr %6, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr %6, align 4
  br label %19, !llvm.loop !7

51:
  store i32 0, ptr %8, align 4
  br label %52

52:
  %53 = load i32, ptr %8, align 4
  %54 = icmp slt i32 %53, 12
  br i1 %54, label %55, label %175

55:
  %56 = load i32, ptr %8, align 4
  store i32 %56, ptr %9, align 4
  %57 = load i32, ptr %8, align 4
  %58 = add nsw i32 %57, 1
  store i32 %58, ptr %10, align 4
  br label %59

59:
  %60 = load i32, ptr %10, align 4
  %61 = icmp slt i32 %60, 12
  br i1 %61, label %62, label %92

62:
  %63 = load i32, ptr %10, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %64
  %66 = load i32, ptr %65, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %67
  %69 = load i32, ptr %8, align 4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [12 x double], ptr %68, i64 0, i64 %70
  %72 = load double, ptr %71, align 8
  %73 = call double @absolute(double noundef %72)
  %74 = load i32, ptr %9, align 4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %75
  %77 = load i32, ptr %76, align 4
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %78
  %80 = load i32, ptr %8, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [12 x double], ptr %79, i64 0, i64 %81
  %83 = load double, ptr %82, align 8
  %84 = call double @absolute(double noundef %83)
  %85 = fcmp ogt double %73, %84
  br i1 %85, label %86, label %88

86:
  %87 = load i32, ptr %10, align 4
  store i32 %87, ptr %9, align 4
  br label %88

88:
  br label %89

89:
  %90 = load i32, ptr %10, align 4
  %91 = add nsw i32 %90, 1
  store i32 %91, ptr %10, align 4
  br label %59, !llvm.loop !8

92:
  %93 = load i32, ptr %8, align 4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %94
  %96 = load i32, ptr %95, align 4
  store i32 %96, ptr %11, align 4
  %97 = load i32, ptr %9, align 4
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %98
  %100 = load i32, ptr %99, align 4
  %101 = load i32, ptr %8, align 4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %102
  store i32 %100, ptr %103, align 4
  %104 = load i32, ptr %11, align 4
  %105 = load i32, ptr %9, align 4
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %106
  store i32 %104, ptr %107, align 4
  %108 = load i32, ptr %8, align 4
  %109 = add nsw i32 %108, 1
  store i32 %109, ptr %12, align 4
  br label %110

110:
  %111 = load i32, ptr %12, align 4
  %112 = icmp slt i32 %111, 12
  br i1 %112, label %113, label %171

113:
  %114 = load i32, ptr %8, align 4
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %115
  %117 = load i32, ptr %116, align 4
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %118
  %120 = load i32, ptr %8, align 4
  %121 = sext i32 %120 to i64
  %122 = getelementptr inbounds [12 x double], ptr %119, i64 0, i64 %121
  %123 = load double, ptr %122, align 8
  %124 = load i32, ptr %12, align 4
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %125
  %127 = load i32, ptr %126, align 4
  %128 = sext i32 %127 to i64
  %129 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %128
  %130 = load i32, ptr %8, align 4
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds [12 x double], ptr %129, i64 0, i64 %131
  %133 = load double, ptr %132, align 8
  %134 = fdiv double %133, %123
  store double %134, ptr %132, align 8
  store double %134, ptr %13, align 8
  %135 = load i32, ptr %8, align 4
  %136 = add nsw i32 %135, 1
  store i32 %136, ptr %14, align 4
  br label %137

137:
  %138 = load i32, ptr %14, align 4
  %139 = icmp slt i32 %138, 12
  br i1 %139, label %140, label %167

140:
  %141 = load double, ptr %13, align 8
  %142 = load i32, ptr %8, align 4
  %143 = sext i32 %142 to i64
  %144 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %143
  %145 = load i32, ptr %144, align 4
  %146 = sext i32 %145 to i64
  %147 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %146
  %148 = load i32, ptr %14, align 4
  %149 = sext i32 %148 to i64
  %150 = getelementptr inbounds [12 x double], ptr %147, i64 0, i64 %149
  %151 = load double, ptr %150, align 8
  %152 = load i32, ptr %12, align 4
  %153 = sext i32 %152 to i64
  %154 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %153
  %155 = load i32, ptr %154, align 4
  %156 = sext i32 %155 to i64
  %157 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %156
  %158 = load i32, ptr %14, align 4
  %159 = sext i32 %158 to i64
  %160 = getelementptr inbounds [12 x double], ptr %157, i64 0, i64 %159
  %161 = load double, ptr %160, align 8
  %162 = fneg double %141
  %163 = call double @llvm.fmuladd.f64(double %162, double %151, double %161)
  store double %163, ptr %160, align 8
  br label %164

164:
  %165 = load i32, ptr %14, align 4
  %166 = add nsw i32 %165, 1
  store i32 %166, ptr %14, align 4
  br label %137, !llvm.loop !9

167:
  br label %168

168:
  %169 = load i32, ptr %12, align 4
  %170 = add nsw i32 %169, 1
  store i32 %170, ptr %12, align 4
  br label %110, !llvm.loop !10

171:
  br label %172

172:
  %173 = load i32, ptr %8, align 4
  %174 = add nsw i32 %173, 1
  store i32 %174, ptr %8, align 4
  br label %52, !llvm.loop !11

175:
  store i32 0, ptr %15, align 4
  br label %176

176:
  %177 = load i32, ptr %15, align 4
  %178 = icmp slt i32 %177, 12
  br i1 %178, label %179, label %226

179:
  %180 = load ptr, ptr %4, align 8
  %181 = load i32, ptr %15, align 4
  %182 = sext i32 %181 to i64
  %183 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %182
  %184 = load i32, ptr %183, align 4
  %185 = sext i32 %184 to i64
  %186 = getelementptr inbounds double, ptr %180, i64 %185
  %187 = load double, ptr %186, align 8
  %188 = load ptr, ptr %3, align 8
  %189 = load i32, ptr %15, align 4
  %190 = sext i32 %189 to i64
  %191 = getelementptr inbounds double, ptr %188, i64 %190
  store double %187, ptr %191, align 8
  store i32 0, ptr %16, align 4
  br label %192

192:
  %193 = load i32, ptr %16, align 4
  %194 = load i32, ptr %15, align 4
  %195 = icmp slt i32 %193, %194
  br i1 %195, label %196, label %222

196:
  %197 = load i32, ptr %15, align 4
  %198 = sext i32 %197 to i64
  %199 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %198
  %200 = load i32, ptr %199, align 4
  %201 = sext i32 %200 to i64
  %202 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %201
  %203 = load i32, ptr %16, align 4
  %204 = sext i32 %203 to i64
  %205 = getelementptr inbounds [12 x double], ptr %202, i64 0, i64 %204
  %206 = load double, ptr %205, align 8
  %207 = load ptr, ptr %3, align 8
  %208 = load i32, ptr %16, align 4
  %209 = sext i32 %208 to i64
  %210 = getelementptr inbounds double, ptr %207, i64 %209
  %211 = load double, ptr %210, align 8
  %212 = load ptr, ptr %3, align 8
  %213 = load i32, ptr %15, align 4
  %214 = sext i32 %213 to i64
  %215 = getelementptr inbounds double, ptr %212, i64 %214
  %216 = load double, ptr %215, align 8
  %217 = fneg double %206
  %218 = call double @llvm.fmuladd.f64(double %217, double %211, double %216)
  store double %218, ptr %215, align 8
  br label %219

219:
  %220 = load i32, ptr %16, align 4
  %221 = add nsw i32 %220, 1
  store i32 %221, ptr %16, align 4
  br label %192, !llvm.loop !12

222:
  br label %223

223:
  %224 = load i32, ptr %15, align 4
  %225 = add nsw i32 %224, 1
  store i32 %225, ptr %15, align 4
  br label %176, !llvm.loop !13

226:
  store i32 11, ptr %17, align 4
  br label %227

227:
  %228 = load i32, ptr %17, align 4
  %229 = icmp sge i32 %228, 0
  br i1 %229, label %230, label %282

230:
  %231 = load i32, ptr %17, align 4
  %232 = add nsw i32 %231, 1
  store i32 %232, ptr %18, align 4
  br label %233

233:
  %234 = load i32, ptr %18, align 4
  %235 = icmp slt i32 %234, 12
  br i1 %235, label %236, label %262

236:
  %237 = load i32, ptr %17, align 4
  %238 = sext i32 %237 to i64
  %239 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %238
  %240 = load i32, ptr %239, align 4
  %241 = sext i32 %240 to i64
  %242 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %241
  %243 = load i32, ptr %18, align 4
  %244 = sext i32 %243 to i64
  %245 = getelementptr inbounds [12 x double], ptr %242, i64 0, i64 %244
  %246 = load double, ptr %245, align 8
  %247 = load ptr, ptr %3, align 8
  %248 = load i32, ptr %18, align 4
  %249 = sext i32 %248 to i64
  %250 = getelementptr inbounds double, ptr %247, i64 %249
  %251 = load double, ptr %250, align 8
  %252 = load ptr, ptr %3, align 8
  %253 = load i32, ptr %17, align 4
  %254 = sext i32 %253 to i64
  %255 = getelementptr inbounds double, ptr %252, i64 %254
  %256 = load double, ptr %255, align 8
  %257 = fneg double %246
  %258 = call double @llvm.fmuladd.f64(double %257, double %251, double %256)
  store double %258, ptr %255, align 8
  br label %259

259:
  %260 = load i32, ptr %18, align 4
  %261 = add nsw i32 %260, 1
  store i32 %261, ptr %18, align 4
  br label %233, !llvm.loop !14

262:
  %263 = load i32, ptr %17, align 4
  %264 = sext i32 %263 to i64
  %265 = getelementptr inbounds [12 x i32], ptr %5, i64 0, i64 %264
  %266 = load i32, ptr %265, align 4
  %267 = sext i32 %266 to i64
  %268 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %267
  %269 = load i32, ptr %17, align 4
  %270 = sext i32 %269 to i64
  %271 = getelementptr inbounds [12 x double], ptr %268, i64 0, i64 %270
  %272 = load double, ptr %271, align 8
  %273 = load ptr, ptr %3, align 8
  %274 = load i32, ptr %17, align 4
  %275 = sext i32 %274 to i64
  %276 = getelementptr inbounds double, ptr %273, i64 %275
  %277 = load double, ptr %276, align 8
  %278 = fdiv double %277, %272
  store double %278, ptr %276, align 8
  br label %279

279:
  %280 = load i32, ptr %17, align 4
  %281 = add nsw i32 %280, -1
  store i32 %281, ptr %17, align 4
  br label %227, !llvm.loop !15

282:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double) #1

define dso_local void @solve_cholesky(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca double, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store i32 0, ptr %5, align 4
  br label %13

13:
  %14 = load i32, ptr %5, align 4
  %15 = icmp slt i32 %14, 12
  br i1 %15, label %16, label %86

16:
  store i32 0, ptr %6, align 4
  br label %17

17:
  %18 = load i32, ptr %6, align 4
  %19 = load i32, ptr %5, align 4
  %20 = icmp sle i32 %18, %19
  br i1 %20, label %21, label %82

21:
  %22 = load i32, ptr %5, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [12 x [12 x double]], ptr @matrix, i64 0, i64 %23
  %25 = load i32, ptr %6, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [12 x double], ptr %24, i64 0, i64 %26
  %28 = load double, ptr %27, align 8
  store double %28, ptr %7, align 8
  store i32 0, ptr %8, align 4
  br label %29

29:
  %30 = load i32, ptr %8, align 4
  %31 = load i32, ptr %6, align 4
  %32 = icmp slt i32 %30, %31
  br i1 %32, label %33, label %54

33:
  %34 = load i32, ptr %5, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [12 x [12 x double]], ptr @lower, i64 0, i64 %35
  %37 = load i32, ptr %8, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [12 x double], ptr %36, i64 0, i64 %38
  %40 = load double, ptr %39, align 8
  %41 = load i32, ptr %6, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [12 x [12 x double]], ptr @lower, i64 0, i64 %42
  %44 = load i32, ptr %8, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [12 x double], ptr %43, i64 0, i64 %45
  %47 = load double, ptr %46, align 8
  %48 = load double, ptr %7, align 8
  %49 = fneg double %40
  %50 = call double @llvm.fmuladd.f64(double %49, double %47, double %48)
  store double %50, ptr %7, align 8
  br label %51

51:
  %52 = load i32, ptr %8, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %8, align 4
  br label %29, !llvm.loop !16

54:
  %55 = load i32, ptr %5, align 4
  %56 = load i32, ptr %6, align 4
  %57 = icmp eq i32 %55, %56
  br i1 %57, label %58, label %61

58:
  %59 = load double, ptr %7, align 8
  %60 = call double @square_root(double noundef %59)
  br label %71

61:
  %62 = load double, ptr %7, align 8
  %63 = load i32, ptr %6, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [12 x [12 x double]], ptr @lower, i64 0, i64 %64
  %66 = load i32, ptr %6, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [12 x double], ptr %65, i64 0, i64 %67
  %69 = load double, ptr %68, align 8
  %70 = fdiv double %62, %69
  br label %71

71:
  %72 = phi double [ %60, %58 ], [ %70, %61 ]
  %73 = load i32, ptr %5, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [12 x [12 x double]], ptr @lower, i64 0, i64 %74
  %76 = load i32, ptr %6, align 4
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [12 x double], ptr %75, i64 0, i64 %77
  store double %72, ptr %78, align 8
  br label %79

79:
  %80 = load i32, ptr %6, align 4
  %81 = add nsw i32 %80, 1
  store i32 %81, ptr %6, align 4
  br label %17, !llvm.loop !17

82:
  br label %83

83:
  %84 = load i32, ptr %5, align 4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %5, align 4
  br label %13, !llvm.loop !18

86:
  store i32 0, ptr %9, align 4
  br label %87

87:
  %88 = load i32, ptr %9, align 4
  %89 = icmp slt i32 %88, 12
  br i1 %89, label %90, label %144

90:
  %91 = load ptr, ptr %4, align 8
  %92 = load i32, ptr %9, align 4
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds double, ptr %91, i64 %93
  %95 = load double, ptr %94, align 8
  %96 = load ptr, ptr %3, align 8
  %97 = load i32, ptr %9, align 4
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds double, ptr %96, i64 %98
  store double %95, ptr %99, align 8
  store i32 0, ptr %10, align 4
  br label %100

100:
  %101 = load i32, ptr %10, align 4
  %102 = load i32, ptr %9, align 4
  %103 = icmp slt i32 %101, %102
  br i1 %103, label %104, label %127

104:
  %105 = load i32, ptr %9, align 4
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds [12 x [12 x double]], ptr @lower, i64 0, i64 %106
  %108 = load i32, ptr %10, align 4
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds [12 x double], ptr %107, i64 0, i64 %109
  %111 = load double, ptr %110, align 8
  %112 = load ptr, ptr %3, align 8
  %113 = load i32, ptr %10, align 4
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds double, ptr %112, i64 %114
  %116 = load double, ptr %115, align 8
  %117 = load ptr, ptr %3, align 8
  %118 = load i32, ptr %9, align 4
  %119 = sext i32 %118 to i64
  %120 = getelementptr inbounds double, ptr %117, i64 %119
  %121 = load double, ptr %120, align 8
  %122 = fneg double %111
  %123 = call double @llvm.fmuladd.f64(double %122, double %116, double %121)
  store double %123, ptr %120, align 8
  br label %124

124:
  %125 = load i32, ptr %10, align 4
  %126 = add nsw i32 %125, 1
  store i32 %126, ptr %10, align 4
  br label %100, !llvm.loop !19

127:
  %128 = load i32, ptr %9, align 4
  %129 = sext i32 %128 to i64
  %130 = getelementptr inbounds [12 x [12 x double]], ptr @lower, i64 0, i64 %129
  %131 = load i32, ptr %9, align 4
  %132 = sext i32 %131 to i64
  %133 = getelementptr inbounds [12 x double], ptr %130, i64 0, i64 %132
  %134 = load double, ptr %133, align 8
  %135 = load ptr, ptr %3, align 8
  %136 = load i32, ptr %9, align 4
  %137 = sext i32 %136 to i64
  %138 = getelementptr inbounds double, ptr %135, i64 %137
  %139 = load double, ptr %138, align 8
  %140 = fdiv double %139, %134
  store double %140, ptr %138, align 8
  br label %141

141:
  %142 = load i32, ptr %9, align 4
  %143 = add nsw i32 %142, 1
  store i32 %143, ptr %9, align 4
  br label %87, !llvm.loop !20

144:
  store i32 11, ptr %11, align 4
  br label %145

145:
  %146 = load i32, ptr %11, align 4
  %147 = icmp sge i32 %146, 0
  br i1 %147, label %148, label %194

148:
  %149 = load i32, ptr %11, align 4
  %150 = add nsw i32 %149, 1
  store i32 %150, ptr %12, align 4
  br label %151

151:
  %152 = load i32, ptr %12, align 4
  %153 = icmp slt i32 %152, 12
  br i1 %153, label %154, label %177

154:
  %155 = load i32, ptr %12, align 4
  %156 = sext i32 %155 to i64
  %157 = getelementptr inbounds [12 x [12 x double]], ptr @lower, i64 0, i64 %156
  %158 = load i32, ptr %11, align 4
  %159 = sext i32 %158 to i64
  %160 = getelementptr inbounds [12 x double], ptr %157, i64 0, i64 %159
  %161 = load double, ptr %160, align 8
  %162 = load ptr, ptr %3, align 8
  %163 = load i32, ptr %12, align 4
  %164 = sext i32 %163 to i64
  %165 = getelementptr inbounds double, ptr %162, i64 %164
  %166 = load double, ptr %165, align 8
  %167 = load ptr, ptr %3, align 8
  %168 = load i32, ptr %11, align 4
  %169 = sext i32 %168 to i64
  %170 = getelementptr inbounds double, ptr %167, i64 %169
  %171 = load double, ptr %170, align 8
  %172 = fneg double %161
  %173 = call double @llvm.fmuladd.f64(double %172, double %166, double %171)
  store double %173, ptr %170, align 8
  br label %174

174:
  %175 = load i32, ptr %12, align 4
  %176 = add nsw i32 %175, 1
  store i32 %176, ptr %12, align 4
  br label %151, !llvm.loop !21

177:
  %178 = load i32, ptr %11, align 4
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds [12 x [12 x double]], ptr @lower, i64 0, i64 %179
  %181 = load i32, ptr %11, align 4
  %182 = sext i32 %181 to i64
  %183 = getelementptr inbounds [12 x double], ptr %180, i64 0, i64 %182
  %184 = load double, ptr %183, align 8
  %185 = load ptr, ptr %3, align 8
  %186 = load i32, ptr %11, align 4
  %187 = sext i32 %186 to i64
  %188 = getelementptr inbounds double, ptr %185, i64 %187
  %189 = load double, ptr %188, align 8
  %190 = fdiv double %189, %184
  store double %190, ptr %188, align 8
  br label %191

191:
  %192 = load i32, ptr %11, align 4
  %193 = add nsw i32 %192, -1
  store i32 %193, ptr %11, align 4
  br label %145, !llvm.loop !22

194:
  ret void
}

define dso_local void @invert() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca double, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca double, align 8
  %8 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %9

9:
  %10 = load i32, ptr %1, align 4
  %11 = icmp slt i32 %10, 12
  br i1 %11, label %12, label %48

12:
  store i32 0, ptr %2, align 4
  br label %13

13:
  %14 = load i32, ptr %2, align 4
  %15 = icmp slt i32 %14, 12
  br i1 %15, label %16, label %44

16:
  %17 = load i32, ptr %1, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [12 x [12 x double]], ptr @matrix, i64 0, i64 %18
  %20 = load i32, ptr %2, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [12 x double], ptr %19, i64 0, i64 %21
  %23 = load double, ptr %22, align 8
  %24 = load i32, ptr %1, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %25
  %27 = load i32, ptr %2, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [12 x double], ptr %26, i64 0, i64 %28
  store double %23, ptr %29, align 8
  %30 = load i32, ptr %1, align 4
  %31 = load i32, ptr %2, align 4
  %32 = icmp eq i32 %30, %31
  %33 = zext i1 %32 to i32
  %34 = sitofp i32 %33 to double
  %35 = load i32, ptr %1, align 4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [12 x [12 x double]], ptr @inverse, i64 0, i64 %36
  %38 = load i32, ptr %2, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [12 x double], ptr %37, i64 0, i64 %39
  store double %34, ptr %40, align 8
  br label %41

41:
  %42 = load i32, ptr %2, align 4
  %43 = add nsw i32 %42, 1
  store i32 %43, ptr %2, align 4
  br label %13, !llvm.loop !23

44:
  br label %45

45:
  %46 = load i32, ptr %1, align 4
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %1, align 4
  br label %9, !llvm.loop !24

48:
  store i32 0, ptr %3, align 4
  br label %49

49:
  %50 = load i32, ptr %3, align 4
  %51 = icmp slt i32 %50, 12
  br i1 %51, label %52, label %153

52:
  %53 = load i32, ptr %3, align 4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %54
  %56 = load i32, ptr %3, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds [12 x double], ptr %55, i64 0, i64 %57
  %59 = load double, ptr %58, align 8
  %60 = fdiv double 1.000000e+00, %59
  store double %60, ptr %4, align 8
  store i32 0, ptr %5, align 4
  br label %61

61:
  %62 = load i32, ptr %5, align 4
  %63 = icmp slt i32 %62, 12
  br i1 %63, label %64, label %86

64:
  %65 = load double, ptr %4, align 8
  %66 = load i32, ptr %3, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %67
  %69 = load i32, ptr %5, align 4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [12 x double], ptr %68, i64 0, i64 %70
  %72 = load double, ptr %71, align 8
  %73 = fmul double %72, %65
  store double %73, ptr %71, align 8
  %74 = load double, ptr %4, align 8
  %75 = load i32, ptr %3, align 4
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds [12 x [12 x double]], ptr @inverse, i64 0, i64 %76
  %78 = load i32, ptr %5, align 4
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds [12 x double], ptr %77, i64 0, i64 %79
  %81 = load double, ptr %80, align 8
  %82 = fmul double %81, %74
  store double %82, ptr %80, align 8
  br label %83

83:
  %84 = load i32, ptr %5, align 4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %5, align 4
  br label %61, !llvm.loop !25

86:
  store i32 0, ptr %6, align 4
  br label %87

87:
  %88 = load i32, ptr %6, align 4
  %89 = icmp slt i32 %88, 12
  br i1 %89, label %90, label %149

90:
  %91 = load i32, ptr %6, align 4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %92
  %94 = load i32, ptr %3, align 4
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds [12 x double], ptr %93, i64 0, i64 %95
  %97 = load double, ptr %96, align 8
  store double %97, ptr %7, align 8
  store i32 0, ptr %8, align 4
  br label %98

98:
  %99 = load i32, ptr %6, align 4
  %100 = load i32, ptr %3, align 4
  %101 = icmp ne i32 %99, %100
  br i1 %101, label %102, label %105

102:
  %103 = load i32, ptr %8, align 4
  %104 = icmp slt i32 %103, 12
  br label %105

105:
  %106 = phi i1 [ false, %98 ], [ %104, %102 ]
  br i1 %106, label %107, label %145

107:
  %108 = load double, ptr %7, align 8
  %109 = load i32, ptr %3, align 4
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %110
  %112 = load i32, ptr %8, align 4
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds [12 x double], ptr %111, i64 0, i64 %113
  %115 = load double, ptr %114, align 8
  %116 = load i32, ptr %6, align 4
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds [12 x [12 x double]], ptr @work, i64 0, i64 %117
  %119 = load i32, ptr %8, align 4
  %120 = sext i32 %119 to i64
  %121 = getelementptr inbounds [12 x double], ptr %118, i64 0, i64 %120
  %122 = load double, ptr %121, align 8
  %123 = fneg double %108
  %124 = call double @llvm.fmuladd.f64(double %123, double %115, double %122)
  store double %124, ptr %121, align 8
  %125 = load double, ptr %7, align 8
  %126 = load i32, ptr %3, align 4
  %127 = sext i32 %126 to i64
  %128 = getelementptr inbounds [12 x [12 x double]], ptr @inverse, i64 0, i64 %127
  %129 = load i32, ptr %8, align 4
  %130 = sext i32 %129 to i64
  %131 = getelementptr inbounds [12 x double], ptr %128, i64 0, i64 %130
  %132 = load double, ptr %131, align 8
  %133 = load i32, ptr %6, align 4
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds [12 x [12 x double]], ptr @inverse, i64 0, i64 %134
  %136 = load i32, ptr %8, align 4
  %137 = sext i32 %136 to i64
  %138 = getelementptr inbounds [12 x double], ptr %135, i64 0, i64 %137
  %139 = load double, ptr %138, align 8
  %140 = fneg double %125
  %141 = call double @llvm.fmuladd.f64(double %140, double %132, double %139)
  store double %141, ptr %138, align 8
  br label %142

142:
  %143 = load i32, ptr %8, align 4
  %144 = add nsw i32 %143, 1
  store i32 %144, ptr %8, align 4
  br label %98, !llvm.loop !26

145:
  br label %146

146:
  %147 = load i32, ptr %6, align 4
  %148 = add nsw i32 %147, 1
  store i32 %148, ptr %6, align 4
  br label %87, !llvm.loop !27

149:
  br label %150

150:
  %151 = load i32, ptr %3, align 4
  %152 = add nsw i32 %151, 1
  store i32 %152, ptr %3, align 4
  br label %49, !llvm.loop !28

153:
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [12 x double], align 16
  %3 = alloca [12 x double], align 16
  %4 = alloca [12 x double], align 16
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca double, align 8
  %10 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %11

11:
  %12 = load i32, ptr %6, align 4
  %13 = icmp slt i32 %12, 12
  br i1 %13, label %14, label %66

14:
  %15 = load i32, ptr %6, align 4
  %16 = mul nsw i32 %15, 7
  %17 = srem i32 %16, 5
  %18 = add nsw i32 %17, 1
  %19 = sitofp i32 %18 to double
  %20 = load i32, ptr %6, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [12 x double], ptr %2, i64 0, i64 %21
  store double %19, ptr %22, align 8
  store i32 0, ptr %7, align 4
  br label %23

23:
  %24 = load i32, ptr %7, align 4
  %25 = icmp slt i32 %24, 12
  br i1 %25, label %26, label %62

26:
  %27 = load i32, ptr %6, align 4
  %28 = load i32, ptr %7, align 4
  %29 = icmp eq i32 %27, %28
  br i1 %29, label %30, label %34

30:
  %31 = load i32, ptr %6, align 4
  %32 = add nsw i32 24, %31
  %33 = sitofp i32 %32 to double
  br label %51

34:
  %35 = load i32, ptr %6, align 4
  %36 = load i32, ptr %7, align 4
  %37 = icmp sgt i32 %35, %36
  br i1 %37, label %38, label %42

38:
  %39 = load i32, ptr %6, align 4
  %40 = load i32, ptr %7, align 4
  %41 = sub nsw i32 %39, %40
  br label %46

42:
  %43 = load i32, ptr %7, align 4
  %44 = load i32, ptr %6, align 4
  %45 = sub nsw i32 %43, %44
  br label %46

46:
  %47 = phi i32 [ %41, %38 ], [ %45, %42 ]
  %48 = add nsw i32 1, %47
  %49 = sitofp i32 %48 to double
  %50 = fdiv double 1.000000e+00, %49
  br label %51

51:
  %52 = phi double [ %33, %30 ], [ %50, %46 ]
  %53 = load i32, ptr %6, align 4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [12 x [12 x double]], ptr @matrix, i64 0, i64 %54
  %56 = load i32, ptr %7, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds [12 x double], ptr %55, i64 0, i64 %57
  store double %52, ptr %58, align 8
  br label %59

59:
  %60 = load i32, ptr %7, align 4
  %61 = add nsw i32 %60, 1
  store i32 %61, ptr %7, align 4
  br label %23, !llvm.loop !29

62:
  br label %63

63:
  %64 = load i32, ptr %6, align 4
  %65 = add nsw i32 %64, 1
  store i32 %65, ptr %6, align 4
  br label %11, !llvm.loop !30

66:
  %67 = getelementptr inbounds [12 x double], ptr %3, i64 0, i64 0
  %68 = getelementptr inbounds [12 x double], ptr %2, i64 0, i64 0
  call void @solve_lu(ptr noundef %67, ptr noundef %68)
  %69 = getelementptr inbounds [12 x double], ptr %4, i64 0, i64 0
  %70 = getelementptr inbounds [12 x double], ptr %2, i64 0, i64 0
  call void @solve_cholesky(ptr noundef %69, ptr noundef %70)
  call void @invert()
  store i32 0, ptr %8, align 4
  br label %71

71:
  %72 = load i32, ptr %8, align 4
  %73 = icmp slt i32 %72, 12
  br i1 %73, label %74, label %124

74:
  store double 0.000000e+00, ptr %9, align 8
  store i32 0, ptr %10, align 4
  br label %75

75:
  %76 = load i32, ptr %10, align 4
  %77 = icmp slt i32 %76, 12
  br i1 %77, label %78, label %95

78:
  %79 = load i32, ptr %8, align 4
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds [12 x [12 x double]], ptr @inverse, i64 0, i64 %80
  %82 = load i32, ptr %10, align 4
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds [12 x double], ptr %81, i64 0, i64 %83
  %85 = load double, ptr %84, align 8
  %86 = load i32, ptr %10, align 4
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds [12 x double], ptr %2, i64 0, i64 %87
  %89 = load double, ptr %88, align 8
  %90 = load double, ptr %9, align 8
  %91 = call double @llvm.fmuladd.f64(double %85, double %89, double %90)
  store double %91, ptr %9, align 8
  br label %92

92:
  %93 = load i32, ptr %10, align 4
  %94 = add nsw i32 %93, 1
  store i32 %94, ptr %10, align 4
  br label %75, !llvm.loop !31

95:
  %96 = load i32, ptr %8, align 4
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds [12 x double], ptr %3, i64 0, i64 %97
  %99 = load double, ptr %98, align 8
  %100 = load i32, ptr %8, align 4
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds [12 x double], ptr %4, i64 0, i64 %101
  %103 = load double, ptr %102, align 8
  %104 = fsub double %99, %103
  %105 = call double @absolute(double noundef %104)
  %106 = fcmp ogt double %105, 1.000000e-10
  br i1 %106, label %116, label %107

107:
  %108 = load i32, ptr %8, align 4
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds [12 x double], ptr %3, i64 0, i64 %109
  %111 = load double, ptr %110, align 8
  %112 = load double, ptr %9, align 8
  %113 = fsub double %111, %112
  %114 = call double @absolute(double noundef %113)
  %115 = fcmp ogt double %114, 1.000000e-10
  br label %116

116:
  %117 = phi i1 [ true, %95 ], [ %115, %107 ]
  %118 = zext i1 %117 to i32
  %119 = load i32, ptr %5, align 4
  %120 = add nsw i32 %119, %118
  store i32 %120, ptr %5, align 4
  br label %121

121:
  %122 = load i32, ptr %8, align 4
  %123 = add nsw i32 %122, 1
  store i32 %123, ptr %8, align 4
  br label %71, !llvm.loop !32

124:
  %125 = getelementptr inbounds [12 x double], ptr %3, i64 0, i64 0
  %126 = load double, ptr %125, align 16
  %127 = getelementptr inbounds [12 x double], ptr %4, i64 0, i64 6
  %128 = load double, ptr %127, align 16
  %129 = load double, ptr getelementptr inbounds ([12 x double], ptr getelementptr inbounds ([12 x [12 x double]], ptr @inverse, i64 0, i64 1), i64 0, i64 1), align 8
  %130 = load i32, ptr %5, align 4
  %131 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %126, double noundef %128, double noundef %129, i32 noundef %130)
  %132 = load i32, ptr %5, align 4
  %133 = icmp ne i32 %132, 0
  %134 = zext i1 %133 to i32
  ret i32 %134
}

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
!12 = distinct !{!12, !5}
!13 = distinct !{!13, !5}
!14 = distinct !{!14, !5}
!15 = distinct !{!15, !5}
!16 = distinct !{!16, !5}
!17 = distinct !{!17, !5}
!18 = distinct !{!18, !5}
!19 = distinct !{!19, !5}
!20 = distinct !{!20, !5}
!21 = distinct !{!21, !5}
!22 = distinct !{!22, !5}
!23 = distinct !{!23, !5}
!24 = distinct !{!24, !5}
!25 = distinct !{!25, !5}
!26 = distinct !{!26, !5}
!27 = distinct !{!27, !5}
!28 = distinct !{!28, !5}
!29 = distinct !{!29, !5}
!30 = distinct !{!30, !5}
!31 = distinct !{!31, !5}
!32 = distinct !{!32, !5}
