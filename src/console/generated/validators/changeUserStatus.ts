// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="changeUserStatus" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "id"});
errors++;
}
if(data.status === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "status"});
errors++;
}
if(data.id !== undefined){
let data0 = data.id;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = found(vErrors, instancePath+"/id", "type", {type: "integer"});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/id", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data0 < 1 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/id", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data0))){
vErrors = found(vErrors, instancePath+"/id", "format", {format: "int64"});
errors++;
}
}
}
if(data.status !== undefined){
let data1 = data.status;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
vErrors = found(vErrors, instancePath+"/status", "type", {type: "integer"});
errors++;
}
if(!((data1 === 1) || (data1 === 2))){
vErrors = found(vErrors, instancePath+"/status", "enum", {allowedValues: [1,2]});
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

