// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^SHA256:[A-Za-z0-9+/]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="removePersonSshKey" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.fingerprint === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "fingerprint"});
errors++;
}
if(data.fingerprint !== undefined){
let data0 = data.fingerprint;
if(typeof data0 === "string"){
if(func2(data0) > 60){
vErrors = found(vErrors, instancePath+"/fingerprint", "maxLength", {limit: 60});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/fingerprint", "pattern", {pattern: "^SHA256:[A-Za-z0-9+/]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/fingerprint", "type", {type: "string"});
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

