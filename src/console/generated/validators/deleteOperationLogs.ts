// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="deleteOperationLogs" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.operationLogIds === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "operationLogIds"});
errors++;
}
if(data.operationLogIds !== undefined){
let data0 = data.operationLogIds;
if(Array.isArray(data0)){
if(data0.length > 10000){
vErrors = found(vErrors, instancePath+"/operationLogIds", "maxItems", {limit: 10000});
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
vErrors = found(vErrors, instancePath+"/operationLogIds/" + i0, "type", {type: "integer"});
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
vErrors = found(vErrors, instancePath+"/operationLogIds/" + i0, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data1 < 1 || isNaN(data1)){
vErrors = found(vErrors, instancePath+"/operationLogIds/" + i0, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data1))){
vErrors = found(vErrors, instancePath+"/operationLogIds/" + i0, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/operationLogIds", "type", {type: "array"});
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

