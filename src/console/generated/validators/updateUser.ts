// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern1 = new RegExp("^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$", "u");
const pattern2 = new RegExp("^([!#-'*+\\--9=?A-Z^-~]+@[!#-'*+\\--9=?A-Z^-~]*[!#-'*+\\-/-9=?A-Z^-~])?$", "u");
const pattern3 = new RegExp("^( *['-)+-:=?A-Za-z][ '-)+-:=?A-Za-z]*)?$", "u");
const pattern6 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern7 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");
const pattern12 = new RegExp("^[0-9a-f]{32}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="updateUser" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "id"});
errors++;
}
if(data.departmentId === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "departmentId"});
errors++;
}
if(data.roleIds === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "roleIds"});
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
if(data.username !== undefined){
let data1 = data.username;
if(typeof data1 === "string"){
if(func2(data1) > 50){
vErrors = found(vErrors, instancePath+"/username", "maxLength", {limit: 50});
errors++;
}
if(func2(data1) < 2){
vErrors = found(vErrors, instancePath+"/username", "minLength", {limit: 2});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/username", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/username", "type", {type: "string"});
errors++;
}
}
if(data.nickname !== undefined){
let data2 = data.nickname;
if(typeof data2 === "string"){
if(func2(data2) > 20){
vErrors = found(vErrors, instancePath+"/nickname", "maxLength", {limit: 20});
errors++;
}
if(func2(data2) < 0){
vErrors = found(vErrors, instancePath+"/nickname", "minLength", {limit: 0});
errors++;
}
if(!pattern1.test(data2)){
vErrors = found(vErrors, instancePath+"/nickname", "pattern", {pattern: "^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/nickname", "type", {type: "string"});
errors++;
}
}
if(data.mail !== undefined){
let data3 = data.mail;
if(typeof data3 === "string"){
if(func2(data3) > 100){
vErrors = found(vErrors, instancePath+"/mail", "maxLength", {limit: 100});
errors++;
}
if(func2(data3) < 0){
vErrors = found(vErrors, instancePath+"/mail", "minLength", {limit: 0});
errors++;
}
if(!pattern2.test(data3)){
vErrors = found(vErrors, instancePath+"/mail", "pattern", {pattern: "^([!#-'*+\\--9=?A-Z^-~]+@[!#-'*+\\--9=?A-Z^-~]*[!#-'*+\\-/-9=?A-Z^-~])?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/mail", "type", {type: "string"});
errors++;
}
}
if(data.mobile !== undefined){
let data4 = data.mobile;
if(typeof data4 === "string"){
if(func2(data4) > 50){
vErrors = found(vErrors, instancePath+"/mobile", "maxLength", {limit: 50});
errors++;
}
if(!pattern3.test(data4)){
vErrors = found(vErrors, instancePath+"/mobile", "pattern", {pattern: "^( *['-)+-:=?A-Za-z][ '-)+-:=?A-Za-z]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/mobile", "type", {type: "string"});
errors++;
}
}
if(data.jobNumber !== undefined){
let data5 = data.jobNumber;
if(typeof data5 === "string"){
if(func2(data5) > 20){
vErrors = found(vErrors, instancePath+"/jobNumber", "maxLength", {limit: 20});
errors++;
}
if(func2(data5) < 0){
vErrors = found(vErrors, instancePath+"/jobNumber", "minLength", {limit: 0});
errors++;
}
if(!pattern1.test(data5)){
vErrors = found(vErrors, instancePath+"/jobNumber", "pattern", {pattern: "^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/jobNumber", "type", {type: "string"});
errors++;
}
}
if(data.departmentId !== undefined){
let data6 = data.departmentId;
if(Array.isArray(data6)){
if(data6.length > 10000){
vErrors = found(vErrors, instancePath+"/departmentId", "maxItems", {limit: 10000});
errors++;
}
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
vErrors = found(vErrors, instancePath+"/departmentId/" + i0, "type", {type: "integer"});
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 9007199254740991 || isNaN(data7)){
vErrors = found(vErrors, instancePath+"/departmentId/" + i0, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data7 < 1 || isNaN(data7)){
vErrors = found(vErrors, instancePath+"/departmentId/" + i0, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data7))){
vErrors = found(vErrors, instancePath+"/departmentId/" + i0, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/departmentId", "type", {type: "array"});
errors++;
}
}
if(data.roleIds !== undefined){
let data8 = data.roleIds;
if(Array.isArray(data8)){
if(data8.length > 10000){
vErrors = found(vErrors, instancePath+"/roleIds", "maxItems", {limit: 10000});
errors++;
}
const len1 = data8.length;
for(let i1=0; i1<len1; i1++){
let data9 = data8[i1];
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
vErrors = found(vErrors, instancePath+"/roleIds/" + i1, "type", {type: "integer"});
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 9007199254740991 || isNaN(data9)){
vErrors = found(vErrors, instancePath+"/roleIds/" + i1, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data9 < 1 || isNaN(data9)){
vErrors = found(vErrors, instancePath+"/roleIds/" + i1, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data9))){
vErrors = found(vErrors, instancePath+"/roleIds/" + i1, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/roleIds", "type", {type: "array"});
errors++;
}
}
if(data.givenName !== undefined){
let data10 = data.givenName;
if(typeof data10 === "string"){
if(func2(data10) > 50){
vErrors = found(vErrors, instancePath+"/givenName", "maxLength", {limit: 50});
errors++;
}
if(func2(data10) < 0){
vErrors = found(vErrors, instancePath+"/givenName", "minLength", {limit: 0});
errors++;
}
if(!pattern1.test(data10)){
vErrors = found(vErrors, instancePath+"/givenName", "pattern", {pattern: "^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/givenName", "type", {type: "string"});
errors++;
}
}
if(data.avatar !== undefined){
let data11 = data.avatar;
if(typeof data11 === "string"){
if(func2(data11) > 2048){
vErrors = found(vErrors, instancePath+"/avatar", "maxLength", {limit: 2048});
errors++;
}
if(!pattern6.test(data11)){
vErrors = found(vErrors, instancePath+"/avatar", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/avatar", "type", {type: "string"});
errors++;
}
}
if(data.introduction !== undefined){
let data12 = data.introduction;
if(typeof data12 === "string"){
if(func2(data12) > 255){
vErrors = found(vErrors, instancePath+"/introduction", "maxLength", {limit: 255});
errors++;
}
if(func2(data12) < 0){
vErrors = found(vErrors, instancePath+"/introduction", "minLength", {limit: 0});
errors++;
}
if(!pattern7.test(data12)){
vErrors = found(vErrors, instancePath+"/introduction", "pattern", {pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/introduction", "type", {type: "string"});
errors++;
}
}
if(data.position !== undefined){
let data13 = data.position;
if(typeof data13 === "string"){
if(func2(data13) > 128){
vErrors = found(vErrors, instancePath+"/position", "maxLength", {limit: 128});
errors++;
}
if(func2(data13) < 0){
vErrors = found(vErrors, instancePath+"/position", "minLength", {limit: 0});
errors++;
}
if(!pattern1.test(data13)){
vErrors = found(vErrors, instancePath+"/position", "pattern", {pattern: "^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/position", "type", {type: "string"});
errors++;
}
}
if(data.postalAddress !== undefined){
let data14 = data.postalAddress;
if(typeof data14 === "string"){
if(func2(data14) > 255){
vErrors = found(vErrors, instancePath+"/postalAddress", "maxLength", {limit: 255});
errors++;
}
if(func2(data14) < 0){
vErrors = found(vErrors, instancePath+"/postalAddress", "minLength", {limit: 0});
errors++;
}
if(!pattern7.test(data14)){
vErrors = found(vErrors, instancePath+"/postalAddress", "pattern", {pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/postalAddress", "type", {type: "string"});
errors++;
}
}
if(data.departments !== undefined){
let data15 = data.departments;
if(typeof data15 === "string"){
if(func2(data15) > 512){
vErrors = found(vErrors, instancePath+"/departments", "maxLength", {limit: 512});
errors++;
}
if(func2(data15) < 0){
vErrors = found(vErrors, instancePath+"/departments", "minLength", {limit: 0});
errors++;
}
if(!pattern1.test(data15)){
vErrors = found(vErrors, instancePath+"/departments", "pattern", {pattern: "^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/departments", "type", {type: "string"});
errors++;
}
}
if(data.source !== undefined){
let data16 = data.source;
if(typeof data16 === "string"){
if(func2(data16) > 50){
vErrors = found(vErrors, instancePath+"/source", "maxLength", {limit: 50});
errors++;
}
if(func2(data16) < 0){
vErrors = found(vErrors, instancePath+"/source", "minLength", {limit: 0});
errors++;
}
if(!pattern1.test(data16)){
vErrors = found(vErrors, instancePath+"/source", "pattern", {pattern: "^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/source", "type", {type: "string"});
errors++;
}
}
if(data.version !== undefined){
let data17 = data.version;
if(typeof data17 === "string"){
if(func2(data17) > 32){
vErrors = found(vErrors, instancePath+"/version", "maxLength", {limit: 32});
errors++;
}
if(!pattern12.test(data17)){
vErrors = found(vErrors, instancePath+"/version", "pattern", {pattern: "^[0-9a-f]{32}$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/version", "type", {type: "string"});
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

