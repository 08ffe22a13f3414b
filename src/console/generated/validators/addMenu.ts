// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern4 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="addMenu" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "name"});
errors++;
}
if(data.title === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "title"});
errors++;
}
if(data.path === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "path"});
errors++;
}
if(data.component === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "component"});
errors++;
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) > 50){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 50});
errors++;
}
if(func2(data0) < 1){
vErrors = found(vErrors, instancePath+"/name", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/name", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/name", "type", {type: "string"});
errors++;
}
}
if(data.title !== undefined){
let data1 = data.title;
if(typeof data1 === "string"){
if(func2(data1) > 50){
vErrors = found(vErrors, instancePath+"/title", "maxLength", {limit: 50});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/title", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/title", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/title", "type", {type: "string"});
errors++;
}
}
if(data.path !== undefined){
let data2 = data.path;
if(typeof data2 === "string"){
if(func2(data2) > 100){
vErrors = found(vErrors, instancePath+"/path", "maxLength", {limit: 100});
errors++;
}
if(func2(data2) < 1){
vErrors = found(vErrors, instancePath+"/path", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data2)){
vErrors = found(vErrors, instancePath+"/path", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/path", "type", {type: "string"});
errors++;
}
}
if(data.component !== undefined){
let data3 = data.component;
if(typeof data3 === "string"){
if(func2(data3) > 100){
vErrors = found(vErrors, instancePath+"/component", "maxLength", {limit: 100});
errors++;
}
if(func2(data3) < 1){
vErrors = found(vErrors, instancePath+"/component", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data3)){
vErrors = found(vErrors, instancePath+"/component", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/component", "type", {type: "string"});
errors++;
}
}
if(data.parentId !== undefined){
let data4 = data.parentId;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
vErrors = found(vErrors, instancePath+"/parentId", "type", {type: "integer"});
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
vErrors = found(vErrors, instancePath+"/parentId", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data4 < 0 || isNaN(data4)){
vErrors = found(vErrors, instancePath+"/parentId", "minimum", {comparison: ">=", limit: 0});
errors++;
}
if(!(formats0.validate(data4))){
vErrors = found(vErrors, instancePath+"/parentId", "format", {format: "int64"});
errors++;
}
}
}
if(data.icon !== undefined){
let data5 = data.icon;
if(typeof data5 === "string"){
if(func2(data5) > 50){
vErrors = found(vErrors, instancePath+"/icon", "maxLength", {limit: 50});
errors++;
}
if(func2(data5) < 0){
vErrors = found(vErrors, instancePath+"/icon", "minLength", {limit: 0});
errors++;
}
if(!pattern4.test(data5)){
vErrors = found(vErrors, instancePath+"/icon", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/icon", "type", {type: "string"});
errors++;
}
}
if(data.redirect !== undefined){
let data6 = data.redirect;
if(typeof data6 === "string"){
if(func2(data6) > 100){
vErrors = found(vErrors, instancePath+"/redirect", "maxLength", {limit: 100});
errors++;
}
if(func2(data6) < 0){
vErrors = found(vErrors, instancePath+"/redirect", "minLength", {limit: 0});
errors++;
}
if(!pattern4.test(data6)){
vErrors = found(vErrors, instancePath+"/redirect", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/redirect", "type", {type: "string"});
errors++;
}
}
if(data.activeMenu !== undefined){
let data7 = data.activeMenu;
if(typeof data7 === "string"){
if(func2(data7) > 100){
vErrors = found(vErrors, instancePath+"/activeMenu", "maxLength", {limit: 100});
errors++;
}
if(func2(data7) < 0){
vErrors = found(vErrors, instancePath+"/activeMenu", "minLength", {limit: 0});
errors++;
}
if(!pattern4.test(data7)){
vErrors = found(vErrors, instancePath+"/activeMenu", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/activeMenu", "type", {type: "string"});
errors++;
}
}
if(data.sort !== undefined){
let data8 = data.sort;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
vErrors = found(vErrors, instancePath+"/sort", "type", {type: "integer"});
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 999 || isNaN(data8)){
vErrors = found(vErrors, instancePath+"/sort", "maximum", {comparison: "<=", limit: 999});
errors++;
}
if(data8 < 1 || isNaN(data8)){
vErrors = found(vErrors, instancePath+"/sort", "minimum", {comparison: ">=", limit: 1});
errors++;
}
}
}
if(data.status !== undefined){
let data9 = data.status;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
vErrors = found(vErrors, instancePath+"/status", "type", {type: "integer"});
errors++;
}
if(!((data9 === 1) || (data9 === 2))){
vErrors = found(vErrors, instancePath+"/status", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.hidden !== undefined){
let data10 = data.hidden;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
vErrors = found(vErrors, instancePath+"/hidden", "type", {type: "integer"});
errors++;
}
if(!((data10 === 1) || (data10 === 2))){
vErrors = found(vErrors, instancePath+"/hidden", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.alwaysShow !== undefined){
let data11 = data.alwaysShow;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
vErrors = found(vErrors, instancePath+"/alwaysShow", "type", {type: "integer"});
errors++;
}
if(!((data11 === 1) || (data11 === 2))){
vErrors = found(vErrors, instancePath+"/alwaysShow", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.noCache !== undefined){
let data12 = data.noCache;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
vErrors = found(vErrors, instancePath+"/noCache", "type", {type: "integer"});
errors++;
}
if(!((data12 === 1) || (data12 === 2))){
vErrors = found(vErrors, instancePath+"/noCache", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.breadcrumb !== undefined){
let data13 = data.breadcrumb;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
vErrors = found(vErrors, instancePath+"/breadcrumb", "type", {type: "integer"});
errors++;
}
if(!((data13 === 1) || (data13 === 2))){
vErrors = found(vErrors, instancePath+"/breadcrumb", "enum", {allowedValues: [1,2]});
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

