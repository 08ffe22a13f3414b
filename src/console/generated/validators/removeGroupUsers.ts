// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="removeGroupUsers" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.groupId === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "groupId"});
errors++;
}
if(data.userIds === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "userIds"});
errors++;
}
if(data.groupId !== undefined){
let data0 = data.groupId;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = found(vErrors, instancePath+"/groupId", "type", {type: "integer"});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/groupId", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data0 < 1 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/groupId", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data0))){
vErrors = found(vErrors, instancePath+"/groupId", "format", {format: "int64"});
errors++;
}
}
}
if(data.userIds !== undefined){
let data1 = data.userIds;
if(Array.isArray(data1)){
if(data1.length > 10000){
vErrors = found(vErrors, instancePath+"/userIds", "maxItems", {limit: 10000});
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
vErrors = found(vErrors, instancePath+"/userIds/" + i0, "type", {type: "integer"});
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
vErrors = found(vErrors, instancePath+"/userIds/" + i0, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data2 < 1 || isNaN(data2)){
vErrors = found(vErrors, instancePath+"/userIds/" + i0, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data2))){
vErrors = found(vErrors, instancePath+"/userIds/" + i0, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/userIds", "type", {type: "array"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath, "type", {type: "object"});
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

