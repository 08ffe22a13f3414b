// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="setPersonPosix" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.number === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "number"});
errors++;
}
if(data.number !== undefined){
let data0 = data.number;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = found(vErrors, instancePath+"/number", "type", {type: "integer"});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 4294967293 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/number", "maximum", {comparison: "<=", limit: 4294967293});
errors++;
}
if(data0 < 500 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/number", "minimum", {comparison: ">=", limit: 500});
errors++;
}
if(!(formats0.validate(data0))){
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

