source_filename = "sha256.c"

%struct.hasher = type { [8 x i32], [64 x i8], i32, i64 }

@start.initial = internal constant [8 x i32] [i32 1779033703, i32 -1150833019, i32 1013904242, i32 -1521486534, i32 1359893119, i32 -1694144372, i32 528734635, i32 1541459225], align 16
@constants = internal constant [64 x i32] [i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723, i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075, i32 -670586216, i32 310598401, i32 607225278, i32 1426881987, i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716, i32 -459576895, i32 -272742522, i32 264347078, i32 604807628, i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986, i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625, i32 -958395405, i32 -710438585, i32 113926993, i32 338241895, i32 666307205, i32 773529912, i32 1294757372, i32 1396182291, i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259, i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525, i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344, i32 430227734, i32 506948616, i32 659060556, i32 883997877, i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779, i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872, i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998], align 16
@.str = private unnamed_addr constant [46 x i8] c"the quick brown fox jumps over the lazy dog; \00", align 1
@.str.1 = private unnamed_addr constant [5 x i8] c"%08x\00", align 1
@.str.2 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1

define dso_local i32 @rotate_right(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = load i32, ptr %4, align 4
  %7 = lshr i32 %5, %6
  %8 = load i32, ptr %3, align 4
  %9 = load i32, ptr %4, align 4
  %10 = sub nsw i32 32, %9
  %11 = shl i32 %8, %10
  %12 = or i32 %7, %11
  ret i32 %12
}

define dso_local void @start(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load i32, ptr %3, align 4
  %6 = icmp slt i32 %5, 8
  br i1 %6, label %7, label %20

7:
  %8 = load i32, ptr %3, align 4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [8 x i32], ptr @start.initial, i64 0, i64 %9
  %11 = load i32, ptr %10, align 4
  %12 = load ptr, ptr %2, align 8
  %13 = getelementptr inbounds nuw %struct.hasher, ptr %12, i32 0, i32 0
  %14 = load i32, ptr %3, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [8 x i32], ptr %13, i64 0, i64 %15
  store i32 %11, ptr %16, align 4
  br label %17

17:
  %18 = load i32, ptr %3, align 4
  %19 = add nsw i32 %18, 1
  store i32 %19, ptr %3, align 4
  br label %4, !llvm.loop !4

20:
  %21 = load ptr, ptr %2, align 8
  %22 = getelementptr inbounds nuw %struct.hasher, ptr %21, i32 0, i32 2
  store i32 0, ptr %22, align 8
  %23 = load ptr, ptr %2, align 8
  %24 = getelementptr inbounds nuw %struct.hasher, ptr %23, i32 0, i32 3
  store i64 0, ptr %24, align 8
  ret void
}

define dso_local void @compress(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca [64 x i32], align 16
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
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %4, align 4
  br label %19

19:
  %20 = load i32, ptr %4, align 4
  %21 = icmp slt i32 %20, 16
  br i1 %21, label %22, label %70

22:
  %23 = load ptr, ptr %2, align 8
  %24 = getelementptr inbounds nuw %struct.hasher, ptr %23, i32 0, i32 1
  %25 = load i32, ptr %4, align 4
  %26 = mul nsw i32 4, %25
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [64 x i8], ptr %24, i64 0, i64 %27
  %29 = load i8, ptr %28, align 1
  %30 = zext i8 %29 to i32
  %31 = shl i32 %30, 24
  %32 = load ptr, ptr %2, align 8
  %33 = getelementptr inbounds nuw %struct.hasher, ptr %32, i32 0, i32 1
  %34 = load i32, ptr %4, align 4
  %35 = mul nsw i32 4, %34
  %36 = add nsw i32 %35, 1
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [64 x i8], ptr %33, i64 0, i64 %37
  %39 = load i8, ptr %38, align 1
  %40 = zext i8 %39 to i32
  %41 = shl i32 %40, 16
  %42 = or i32 %31, %41
  %43 = load ptr, ptr %2, align 8
  %44 = getelementptr inbounds nuw %struct.hasher, ptr %43, i32 0, i32 1
  %45 = load i32, ptr %4, align 4
  %46 = mul nsw i32 4, %45
  %47 = add nsw i32 %46, 2
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [64 x i8], ptr %44, i64 0, i64 %48
  %50 = load i8, ptr %49, align 1
  %51 = zext i8 %50 to i32
  %52 = shl i32 %51, 8
  %53 = or i32 %42, %52
  %54 = load ptr, ptr %2, align 8
  %55 = getelementptr inbounds nuw %struct.hasher, ptr %54, i32 0, i32 1
  %56 = load i32, ptr %4, align 4
  %57 = mul nsw i32 4, %56
  %58 = add nsw i32 %57, 3
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [64 x i8], ptr %55, i64 0, i64 %59
  %61 = load i8, ptr %60, align 1
  %62 = zext i8 %61 to i32
  %63 = or i32 %53, %62
  %64 = load i32, ptr %4, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %65
  store i32 %63, ptr %66, align 4
  br label %67

67:
  %68 = load i32, ptr %4, align 4
  %69 = add nsw i32 %68, 1
  store i32 %69, ptr %4, align 4
  br label %19, !llvm.loop !6

70:
  store i32 16, ptr %5, align 4
  br label %71

71:
  %72 = load i32, ptr %5, align 4
  %73 = icmp slt i32 %72, 64
  br i1 %73, label %74, label %136

74:
  %75 = load i32, ptr %5, align 4
  %76 = sub nsw i32 %75, 15
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %77
  %79 = load i32, ptr %78, align 4
  %80 = call i32 @rotate_right(i32 noundef %79, i32 noundef 7)
  %81 = load i32, ptr %5, align 4
  %82 = sub nsw i32 %81, 15
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %83
  %85 = load i32, ptr %84, align 4
  %86 = call i32 @rotate_right(i32 noundef %85, i32 noundef 18)
  %87 = xor i32 %80, %86
  %88 = load i32, ptr %5, align 4
  %89 = sub nsw i32 %88, 15
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %90
  %92 = load i32, ptr %91, align 4
  %93 = lshr i32 %92, 3
  %94 = xor i32 %87, %93
  store i32 %94, ptr %6, align 4
  %95 = load i32, ptr %5, align 4
  %96 = sub nsw i32 %95, 2
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %97
  %99 = load i32, ptr %98, align 4
  %100 = call i32 @rotate_right(i32 noundef %99, i32 noundef 17)
  %101 = load i32, ptr %5, align 4
  %102 = sub nsw i32 %101, 2
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %103
  %105 = load i32, ptr %104, align 4
  %106 = call i32 @rotate_right(i32 noundef %105, i32 noundef 19)
  %107 = xor i32 %100, %106
  %108 = load i32, ptr %5, align 4
  %109 = sub nsw i32 %108, 2
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %110
  %112 = load i32, ptr %111, align 4
  %113 = lshr i32 %112, 10
  %114 = xor i32 %107, %113
  store i32 %114, ptr %7, align 4
  %115 = load i32, ptr %5, align 4
  %116 = sub nsw i32 %115, 16
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %117
  %119 = load i32, ptr %118, align 4
  %120 = load i32, ptr %6, align 4
  %121 = add i32 %119, %120
  %122 = load i32, ptr %5, align 4
  %123 = sub nsw i32 %122, 7
  %124 = sext i32 %123 to i64
  %125 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %124
  %126 = load i32, ptr %125, align 4
  %127 = add i32 %121, %126
  %128 = load i32, ptr %7, align 4
  %129 = add i32 %127, %128
  %130 = load i32, ptr %5, align 4
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %131
  store i32 %129, ptr %132, align 4
  br label %133

133:
  %134 = load i32, ptr %5, align 4
  %135 = add nsw i32 %134, 1
  store i32 %135, ptr %5, align 4
  br label %71, !llvm.loop !7

136:
  %137 = load ptr, ptr %2, align 8
  %138 = getelementptr inbounds nuw %struct.hasher, ptr %137, i32 0, i32 0
  %139 = getelementptr inbounds [8 x i32], ptr %138, i64 0, i64 0
  %140 = load i32, ptr %139, align 8
  store i32 %140, ptr %8, align 4
  %141 = load ptr, ptr %2, align 8
  %142 = getelementptr inbounds nuw %struct.hasher, ptr %141, i32 0, i32 0
  %143 = getelementptr inbounds [8 x i32], ptr %142, i64 0, i64 1
  %144 = load i32, ptr %143, align 4
  store i32 %144, ptr %9, align 4
  %145 = load ptr, ptr %2, align 8
  %146 = getelementptr inbounds nuw %struct.hasher, ptr %145, i32 0, i32 0
  %147 = getelementptr inbounds [8 x i32], ptr %146, i64 0, i64 2
  %148 = load i32, ptr %147, align 8
  store i32 %148, ptr %10, align 4
  %149 = load ptr, ptr %2, align 8
  %150 = getelementptr inbounds nuw %struct.hasher, ptr %149, i32 0, i32 0
  %151 = getelementptr inbounds [8 x i32], ptr %150, i64 0, i64 3
  %152 = load i32, ptr %151, align 4
  store i32 %152, ptr %11, align 4
  %153 = load ptr, ptr %2, align 8
  %154 = getelementptr inbounds nuw %struct.hasher, ptr %153, i32 0, i32 0
  %155 = getelementptr inbounds [8 x i32], ptr %154, i64 0, i64 4
  %156 = load i32, ptr %155, align 8
  store i32 %156, ptr %12, align 4
  %157 = load ptr, ptr %2, align 8
  %158 = getelementptr inbounds nuw %struct.hasher, ptr %157, i32 0, i32 0
  %159 = getelementptr inbounds [8 x i32], ptr %158, i64 0, i64 5
  %160 = load i32, ptr %159, align 4
  store i32 %160, ptr %13, align 4
  %161 = load ptr, ptr %2, align 8
  %162 = getelementptr inbounds nuw %struct.hasher, ptr %161, i32 0, i32 0
  %163 = getelementptr inbounds [8 x i32], ptr %162, i64 0, i64 6
  %164 = load i32, ptr %163, align 8
  store i32 %164, ptr %14, align 4
  %165 = load ptr, ptr %2, align 8
  %166 = getelementptr inbounds nuw %struct.hasher, ptr %165, i32 0, i32 0
  %167 = getelementptr inbounds [8 x i32], ptr %166, i64 0, i64 7
  %168 = load i32, ptr %167, align 4
  store i32 %168, ptr %15, align 4
  store i32 0, ptr %16, align 4
  br label %169

169:
  %170 = load i32, ptr %16, align 4
  %171 = icmp slt i32 %170, 64
  br i1 %171, label %172, label %237

172:
  %173 = load i32, ptr %15, align 4
  %174 = load i32, ptr %12, align 4
  %175 = call i32 @rotate_right(i32 noundef %174, i32 noundef 6)
  %176 = load i32, ptr %12, align 4
  %177 = call i32 @rotate_right(i32 noundef %176, i32 noundef 11)
  %178 = xor i32 %175, %177
  %179 = load i32, ptr %12, align 4
  %180 = call i32 @rotate_right(i32 noundef %179, i32 noundef 25)
  %181 = xor i32 %178, %180
  %182 = add i32 %173, %181
  %183 = load i32, ptr %12, align 4
  %184 = load i32, ptr %13, align 4
  %185 = and i32 %183, %184
  %186 = load i32, ptr %12, align 4
  %187 = xor i32 %186, -1
  %188 = load i32, ptr %14, align 4
  %189 = and i32 %187, %188
  %190 = xor i32 %185, %189
  %191 = add i32 %182, %190
  %192 = load i32, ptr %16, align 4
  %193 = sext i32 %192 to i64
  %194 = getelementptr inbounds [64 x i32], ptr @constants, i64 0, i64 %193
  %195 = load i32, ptr %194, align 4
  %196 = add i32 %191, %195
  %197 = load i32, ptr %16, align 4
  %198 = sext i32 %197 to i64
  %199 = getelementptr inbounds [64 x i32], ptr %3, i64 0, i64 %198
  %200 = load i32, ptr %199, align 4
  %201 = add i32 %196, %200
  store i32 %201, ptr %17, align 4
  %202 = load i32, ptr %8, align 4
  %203 = call i32 @rotate_right(i32 noundef %202, i32 noundef 2)
  %204 = load i32, ptr %8, align 4
  %205 = call i32 @rotate_right(i32 noundef %204, i32 noundef 13)
  %206 = xor i32 %203, %205
  %207 = load i32, ptr %8, align 4
  %208 = call i32 @rotate_right(i32 noundef %207, i32 noundef 22)
  %209 = xor i32 %206, %208
  %210 = load i32, ptr %8, align 4
  %211 = load i32, ptr %9, align 4
  %212 = and i32 %210, %211
  %213 = load i32, ptr %8, align 4
  %214 = load i32, ptr %10, align 4
  %215 = and i32 %213, %214
  %216 = xor i32 %212, %215
  %217 = load i32, ptr %9, align 4
  %218 = load i32, ptr %10, align 4
  %219 = and i32 %217, %218
  %220 = xor i32 %216, %219
  %221 = add i32 %209, %220
  store i32 %221, ptr %18, align 4
  %222 = load i32, ptr %14, align 4
  store i32 %222, ptr %15, align 4
  %223 = load i32, ptr %13, align 4
  store i32 %223, ptr %14, align 4
  %224 = load i32, ptr %12, align 4
  store i32 %224, ptr %13, align 4
  %225 = load i32, ptr %11, align 4
  %226 = load i32, ptr %17, align 4
  %227 = add i32 %225, %226
  store i32 %227, ptr %12, align 4
  %228 = load i32, ptr %10, align 4
  store i32 %228, ptr %11, align 4
  %229 = load i32, ptr %9, align 4
  store i32 %229, ptr %10, align 4
  %230 = load i32, ptr %8, align 4
  store i32 %230, ptr %9, align 4
  %231 = load i32, ptr %17, align 4
  %232 = load i32, ptr %18, align 4
  %233 = add i32 %231, %232
  store i32 %233, ptr %8, align 4
  br label %234

234:
  %235 = load i32, ptr %16, align 4
  %236 = add nsw i32 %235, 1
  store i32 %236, ptr %16, align 4
  br label %169, !llvm.loop !8

237:
  %238 = load i32, ptr %8, align 4
  %239 = load ptr, ptr %2, align 8
  %240 = getelementptr inbounds nuw %struct.hasher, ptr %239, i32 0, i32 0
  %241 = getelementptr inbounds [8 x i32], ptr %240, i64 0, i64 0
  %242 = load i32, ptr %241, align 8
  %243 = add i32 %242, %238
  store i32 %243, ptr %241, align 8
  %244 = load i32, ptr %9, align 4
  %245 = load ptr, ptr %2, align 8
  %246 = getelementptr inbounds nuw %struct.hasher, ptr %245, i32 0, i32 0
  %247 = getelementptr inbounds [8 x i32], ptr %246, i64 0, i64 1
  %248 = load i32, ptr %247, align 4
  %249 = add i32 %248, %244
  store i32 %249, ptr %247, align 4
  %250 = load i32, ptr %10, align 4
  %251 = load ptr, ptr %2, align 8
  %252 = getelementptr inbounds nuw %struct.hasher, ptr %251, i32 0, i32 0
  %253 = getelementptr inbounds [8 x i32], ptr %252, i64 0, i64 2
  %254 = load i32, ptr %253, align 8
  %255 = add i32 %254, %250
  store i32 %255, ptr %253, align 8
  %256 = load i32, ptr %11, align 4
  %257 = load ptr, ptr %2, align 8
  %258 = getelementptr inbounds nuw %struct.hasher, ptr %257, i32 0, i32 0
  %259 = getelementptr inbounds [8 x i32], ptr %258, i64 0, i64 3
  %260 = load i32, ptr %259, align 4
  %261 = add i32 %260, %256
  store i32 %261, ptr %259, align 4
  %262 = load i32, ptr %12, align 4
  %263 = load ptr, ptr %2, align 8
  %264 = getelementptr inbounds nuw %struct.hasher, ptr %263, i32 0, i32 0
  %265 = getelementptr inbounds [8 x i32], ptr %264, i64 0, i64 4
  %266 = load i32, ptr %265, align 8
  %267 = add i32 %266, %262
  store i32 %267, ptr %265, align 8
  %268 = load i32, ptr %13, align 4
  %269 = load ptr, ptr %2, align 8
  %270 = getelementptr inbounds nuw %struct.hasher, ptr %269, i32 0, i32 0
  %271 = getelementptr inbounds [8 x i32], ptr %270, i64 0, i64 5
  %272 = load i32, ptr %271, align 4
  %273 = add i32 %272, %268
  store i32 %273, ptr %271, align 4
  %274 = load i32, ptr %14, align 4
  %275 = load ptr, ptr %2, align 8
  %276 = getelementptr inbounds nuw %struct.hasher, ptr %275, i32 0, i32 0
  %277 = getelementptr inbounds [8 x i32], ptr %276, i64 0, i64 6
  %278 = load i32, ptr %277, align 8
  %279 = add i32 %278, %274
  store i32 %279, ptr %277, align 8
  %280 = load i32, ptr %15, align 4
  %281 = load ptr, ptr %2, align 8
  %282 = getelementptr inbounds nuw %struct.hasher, ptr %281, i32 0, i32 0
  %283 = getelementptr inbounds [8 x i32], ptr %282, i64 0, i64 7
  %284 = load i32, ptr %283, align 4
  %285 = add i32 %284, %280
  store i32 %285, ptr %283, align 4
  %286 = load ptr, ptr %2, align 8
  %287 = getelementptr inbounds nuw %struct.hasher, ptr %286, i32 0, i32 2
  store i32 0, ptr %287, align 8
  ret void
}

define dso_local void @add_byte(ptr noundef %0, i8 noundef zeroext %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i8, align 1
  store ptr %0, ptr %3, align 8
  store i8 %1, ptr %4, align 1
  %5 = load i8, ptr %4, align 1
  %6 = load ptr, ptr %3, align 8
  %7 = getelementptr inbounds nuw %struct.hasher, ptr %6, i32 0, i32 1
  %8 = load ptr, ptr %3, align 8
  %9 = getelementptr inbounds nuw %struct.hasher, ptr %8, i32 0, i32 2
  %10 = load i32, ptr %9, align 8
  %11 = add i32 %10, 1
  store i32 %11, ptr %9, align 8
  %12 = zext i32 %10 to i64
  %13 = getelementptr inbounds nuw [64 x i8], ptr %7, i64 0, i64 %12
  store i8 %5, ptr %13, align 1
  %14 = load ptr, ptr %3, align 8
  %15 = getelementptr inbounds nuw %struct.hasher, ptr %14, i32 0, i32 2
  %16 = load i32, ptr %15, align 8
  %17 = icmp eq i32 %16, 64
  br i1 %17, label %18, label %20

18:
  %19 = load ptr, ptr %3, align 8
  call void @compress(ptr noundef %19)
  br label %20

20:
  ret void
}

define dso_local void @add(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  br label %5

5:
  %6 = load ptr, ptr %4, align 8
  %7 = load i8, ptr %6, align 1
  %8 = icmp ne i8 %7, 0
  br i1 %8, label %9, label %20

9:
  %10 = load ptr, ptr %3, align 8
  %11 = load ptr, ptr %4, align 8
  %12 = load i8, ptr %11, align 1
  call void @add_byte(ptr noundef %10, i8 noundef zeroext %12)
  %13 = load ptr, ptr %3, align 8
  %14 = getelementptr inbounds nuw %struct.hasher, ptr %13, i32 0, i32 3
  %15 = load i64, ptr %14, align 8
  %16 = add i64 %15, 8
  store i64 %16, ptr %14, align 8
  br label %17

17:
  %18 = load ptr, ptr %4, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i32 1
  store ptr %19, ptr %4, align 8
  br label %5, !llvm.loop !9

20:
  ret void
}

define dso_local void @finish(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  %5 = load ptr, ptr %2, align 8
  %6 = getelementptr inbounds nuw %struct.hasher, ptr %5, i32 0, i32 3
  %7 = load i64, ptr %6, align 8
  store i64 %7, ptr %3, align 8
  %8 = load ptr, ptr %2, align 8
  call void @add_byte(ptr noundef %8, i8 noundef zeroext -128)
  br label %9

9:
  %10 = load ptr, ptr %2, align 8
  %11 = getelementptr inbounds nuw %struct.hasher, ptr %10, i32 0, i32 2
  %12 = load i32, ptr %11, align 8
  %13 = icmp ne i32 %12, 56
  br i1 %13, label %14, label %16

14:
  %15 = load ptr, ptr %2, align 8
  call void @add_byte(ptr noundef %15, i8 noundef zeroext 0)
  br label %9, !llvm.loop !10

16:
  store i32 56, ptr %4, align 4
  br label %17

17:
  %18 = load i32, ptr %4, align 4
  %19 = icmp sge i32 %18, 0
  br i1 %19, label %20, label %30

20:
  %21 = load ptr, ptr %2, align 8
  %22 = load i64, ptr %3, align 8
  %23 = load i32, ptr %4, align 4
  %24 = zext i32 %23 to i64
  %25 = lshr i64 %22, %24
  %26 = trunc i64 %25 to i8
  call void @add_byte(ptr noundef %21, i8 noundef zeroext %26)
  br label %27

27:
  %28 = load i32, ptr %4, align 4
  %29 = sub nsw i32 %28, 8
  store i32 %29, ptr %4, align 4
  br label %17, !llvm.loop !11

30:
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca %struct.hasher, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  call void @start(ptr noundef %2)
  store i32 0, ptr %3, align 4
  br label %5

5:
  %6 = load i32, ptr %3, align 4
  %7 = icmp slt i32 %6, 20
  br i1 %7, label %8, label %12

8:
  call void @add(ptr noundef %2, ptr noundef @.str)
  br label %9

9:
  %10 = load i32, ptr %3, align 4
  %11 = add nsw i32 %10, 1
  store i32 %11, ptr %3, align 4
  br label %5, !llvm.loop !12

12:
  call void @finish(ptr noundef %2)
  store i32 0, ptr %4, align 4
  br label %13

13:
  %14 = load i32, ptr %4, align 4
  %15 = icmp slt i32 %14, 8
  br i1 %15, label %16, label %26

16:
  %17 = getelementptr inbounds nuw %struct.hasher, ptr %2, i32 0, i32 0
  %18 = load i32, ptr %4, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [8 x i32], ptr %17, i64 0, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %21)
  br label %23

23:
  %24 = load i32, ptr %4, align 4
  %25 = add nsw i32 %24, 1
  store i32 %25, ptr %4, align 4
  br label %13, !llvm.loop !13

26:
  %27 = call i32 (ptr, ...) @printf(ptr noundef @.str.2)
  ret i32 0
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
