// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'

export const validate = validate10;
export default validate10;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="createBackup" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "type"});
errors++;
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/type", "type", {type: "string"});
errors++;
}
if(!((data0 === "auto") || (data0 === "manual"))){
vErrors = found(vErrors, instancePath+"/type", "enum", {allowedValues: ["auto","manual"]});
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

