// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'

export const validate = validate10;
export default validate10;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="resetUserPassword" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.way === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "way"});
errors++;
}
if(data.way !== undefined){
let data0 = data.way;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/way", "type", {type: "string"});
errors++;
}
if(!((data0 === "link") || (data0 === "shown"))){
vErrors = found(vErrors, instancePath+"/way", "enum", {allowedValues: ["link","shown"]});
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

