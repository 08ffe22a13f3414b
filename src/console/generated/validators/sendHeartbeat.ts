// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'

export const validate = validate10;
export default validate10;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="sendHeartbeat" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.battery !== undefined){
let data0 = data.battery;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = found(vErrors, instancePath+"/battery", "type", {type: "integer"});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 100 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/battery", "maximum", {comparison: "<=", limit: 100});
errors++;
}
if(data0 < 0 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/battery", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
}
if(data.status !== undefined){
let data1 = data.status;
if(typeof data1 !== "string"){
vErrors = found(vErrors, instancePath+"/status", "type", {type: "string"});
errors++;
}
if(!((data1 === "online") || (data1 === "offline"))){
vErrors = found(vErrors, instancePath+"/status", "enum", {allowedValues: ["online","offline"]});
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

