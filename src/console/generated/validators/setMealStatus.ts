// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'

export const validate = validate10;
export default validate10;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="setMealStatus" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.status === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "status"});
errors++;
}
if(data.status !== undefined){
let data0 = data.status;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/status", "type", {type: "string"});
errors++;
}
if(!(((data0 === "pending") || (data0 === "current")) || (data0 === "done"))){
vErrors = found(vErrors, instancePath+"/status", "enum", {allowedValues: ["pending","current","done"]});
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

