// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="setDepartmentPosix" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.enabled !== undefined){
if(typeof data.enabled !== "boolean"){
vErrors = found(vErrors, instancePath+"/enabled", "type", {type: "boolean"});
errors++;
}
}
if(data.number !== undefined){
let data1 = data.number;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
vErrors = found(vErrors, instancePath+"/number", "type", {type: "integer"});
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 4294967293 || isNaN(data1)){
vErrors = found(vErrors, instancePath+"/number", "maximum", {comparison: "<=", limit: 4294967293});
errors++;
}
if(data1 < 500 || isNaN(data1)){
vErrors = found(vErrors, instancePath+"/number", "minimum", {comparison: ">=", limit: 500});
errors++;
}
if(!(formats0.validate(data1))){
vErrors = found(vErrors, instancePath+"/number", "format", {format: "int64"});
errors++;
}
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

