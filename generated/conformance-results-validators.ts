// @ts-nocheck
// generated from conformance-results.schema.json by ors generate; never edit

import * as helper0 from 'ajv/dist/runtime/ucs2length.js';
import type * as types from './conformance-results.ts';

/** Reason why a value is invalid. */
export interface Invalid {
  /** JSON Pointer to the invalid part of the value. */
  instancePath: string;
  message?: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** Returns whether a value is a `T`; `errors` has the reasons why the last value was not. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: null | Invalid[];
}

function helper(module) {
  return module.default?.default ?? module.default ?? module;
}

const schema20 = {"title":"Budget","description":"Limits of the run.","type":"object","properties":{"sessions":{"type":"integer","minimum":0},"calls":{"type":"integer","minimum":0},"seconds":{"type":["number","null"],"minimum":0,"description":"No check starts after this time; null for no limit."}},"required":["sessions","calls","seconds"]};

function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.sessions === undefined) && (missing0 = "sessions")) || ((data.calls === undefined) && (missing0 = "calls"))) || ((data.seconds === undefined) && (missing0 = "seconds"))){
validate53.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.sessions !== undefined){
let data0 = data.sessions;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate53.errors = [{instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate53.errors = [{instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.calls !== undefined){
let data1 = data.calls;
const _errs3 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate53.errors = [{instancePath:instancePath+"/calls",schemaPath:"#/properties/calls/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate53.errors = [{instancePath:instancePath+"/calls",schemaPath:"#/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seconds !== undefined){
let data2 = data.seconds;
const _errs5 = errors;
if((!((typeof data2 == "number") && (isFinite(data2)))) && (data2 !== null)){
validate53.errors = [{instancePath:instancePath+"/seconds",schemaPath:"#/properties/seconds/type",keyword:"type",params:{type: schema20.properties.seconds.type},message:"must be number,null"}];
return false;
}
if(errors === _errs5){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate53.errors = [{instancePath:instancePath+"/seconds",schemaPath:"#/properties/seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate53.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":{"sessions":true,"calls":true,"seconds":true},"dynamicProps":false,"dynamicItems":false};


const schema21 = {"title":"Use","description":"Sessions and calls that the run used.","type":"object","properties":{"sessions":{"type":"integer","minimum":0},"calls":{"type":"integer","minimum":0}},"required":["sessions","calls"]};

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.sessions === undefined) && (missing0 = "sessions")) || ((data.calls === undefined) && (missing0 = "calls"))){
validate54.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.sessions !== undefined){
let data0 = data.sessions;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate54.errors = [{instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate54.errors = [{instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.calls !== undefined){
let data1 = data.calls;
const _errs3 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate54.errors = [{instancePath:instancePath+"/calls",schemaPath:"#/properties/calls/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate54.errors = [{instancePath:instancePath+"/calls",schemaPath:"#/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate54.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"props":{"sessions":true,"calls":true},"dynamicProps":false,"dynamicItems":false};


const schema22 = {"title":"CheckId","description":"Group and name.","type":"string","pattern":"^[^/]+/.+$"};
const pattern3 = new RegExp("^[^/]+/.+$", "u");

function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern3.test(data)){
validate55.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^/]+/.+$"},message:"must match pattern \""+"^[^/]+/.+$"+"\""}];
return false;
}
}
else {
validate55.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"dynamicProps":false,"dynamicItems":false};


const schema23 = {"title":"Summary","type":"object","properties":{"headline":{"type":"string","minLength":1,"description":"Summary in one line."},"checks":{"type":"integer","minimum":0},"states":{"title":"StateCounts","description":"Number of checks by state.","type":"object","properties":{"pass":{"type":"integer","minimum":0},"fail":{"type":"integer","minimum":0},"warn":{"type":"integer","minimum":0},"not_applicable":{"type":"integer","minimum":0},"not_testable":{"type":"integer","minimum":0},"harness_error":{"type":"integer","minimum":0}},"required":["pass","fail","warn","not_applicable","not_testable","harness_error"]},"required":{"title":"RequiredCounts","description":"Checks of requirements with the level must.","type":"object","properties":{"passed":{"type":"integer","minimum":0},"ran":{"type":"integer","minimum":0,"description":"Number of checks that passed or failed."},"not_testable":{"type":"integer","minimum":0}},"required":["passed","ran","not_testable"]},"not_testable":{"type":"array","items":{"title":"Untested","type":"object","properties":{"reason":{"type":"string"},"checks":{"type":"array","items":{"$ref":"#/definitions/CheckId"}}},"required":["reason","checks"]},"description":"Checks that could not be made, by reason."}},"required":["headline","checks","states","required","not_testable"]};
const func2 = helper(helper0);

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate56.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.headline === undefined) && (missing0 = "headline")) || ((data.checks === undefined) && (missing0 = "checks"))) || ((data.states === undefined) && (missing0 = "states"))) || ((data.required === undefined) && (missing0 = "required"))) || ((data.not_testable === undefined) && (missing0 = "not_testable"))){
validate56.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.headline !== undefined){
let data0 = data.headline;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func2(data0) < 1){
validate56.errors = [{instancePath:instancePath+"/headline",schemaPath:"#/properties/headline/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate56.errors = [{instancePath:instancePath+"/headline",schemaPath:"#/properties/headline/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.checks !== undefined){
let data1 = data.checks;
const _errs3 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate56.errors = [{instancePath:instancePath+"/checks",schemaPath:"#/properties/checks/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate56.errors = [{instancePath:instancePath+"/checks",schemaPath:"#/properties/checks/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.states !== undefined){
let data2 = data.states;
const _errs5 = errors;
if(errors === _errs5){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((((((data2.pass === undefined) && (missing1 = "pass")) || ((data2.fail === undefined) && (missing1 = "fail"))) || ((data2.warn === undefined) && (missing1 = "warn"))) || ((data2.not_applicable === undefined) && (missing1 = "not_applicable"))) || ((data2.not_testable === undefined) && (missing1 = "not_testable"))) || ((data2.harness_error === undefined) && (missing1 = "harness_error"))){
validate56.errors = [{instancePath:instancePath+"/states",schemaPath:"#/properties/states/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data2.pass !== undefined){
let data3 = data2.pass;
const _errs7 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate56.errors = [{instancePath:instancePath+"/states/pass",schemaPath:"#/properties/states/properties/pass/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs7){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate56.errors = [{instancePath:instancePath+"/states/pass",schemaPath:"#/properties/states/properties/pass/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data2.fail !== undefined){
let data4 = data2.fail;
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate56.errors = [{instancePath:instancePath+"/states/fail",schemaPath:"#/properties/states/properties/fail/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate56.errors = [{instancePath:instancePath+"/states/fail",schemaPath:"#/properties/states/properties/fail/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data2.warn !== undefined){
let data5 = data2.warn;
const _errs11 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate56.errors = [{instancePath:instancePath+"/states/warn",schemaPath:"#/properties/states/properties/warn/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs11){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
validate56.errors = [{instancePath:instancePath+"/states/warn",schemaPath:"#/properties/states/properties/warn/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data2.not_applicable !== undefined){
let data6 = data2.not_applicable;
const _errs13 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate56.errors = [{instancePath:instancePath+"/states/not_applicable",schemaPath:"#/properties/states/properties/not_applicable/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs13){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
validate56.errors = [{instancePath:instancePath+"/states/not_applicable",schemaPath:"#/properties/states/properties/not_applicable/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs13 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data2.not_testable !== undefined){
let data7 = data2.not_testable;
const _errs15 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate56.errors = [{instancePath:instancePath+"/states/not_testable",schemaPath:"#/properties/states/properties/not_testable/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs15){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
validate56.errors = [{instancePath:instancePath+"/states/not_testable",schemaPath:"#/properties/states/properties/not_testable/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs15 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data2.harness_error !== undefined){
let data8 = data2.harness_error;
const _errs17 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate56.errors = [{instancePath:instancePath+"/states/harness_error",schemaPath:"#/properties/states/properties/harness_error/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs17){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
validate56.errors = [{instancePath:instancePath+"/states/harness_error",schemaPath:"#/properties/states/properties/harness_error/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs17 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
else {
validate56.errors = [{instancePath:instancePath+"/states",schemaPath:"#/properties/states/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.required !== undefined){
let data9 = data.required;
const _errs19 = errors;
if(errors === _errs19){
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
let missing2;
if((((data9.passed === undefined) && (missing2 = "passed")) || ((data9.ran === undefined) && (missing2 = "ran"))) || ((data9.not_testable === undefined) && (missing2 = "not_testable"))){
validate56.errors = [{instancePath:instancePath+"/required",schemaPath:"#/properties/required/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
if(data9.passed !== undefined){
let data10 = data9.passed;
const _errs21 = errors;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
validate56.errors = [{instancePath:instancePath+"/required/passed",schemaPath:"#/properties/required/properties/passed/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs21){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 0 || isNaN(data10)){
validate56.errors = [{instancePath:instancePath+"/required/passed",schemaPath:"#/properties/required/properties/passed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid2 = _errs21 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data9.ran !== undefined){
let data11 = data9.ran;
const _errs23 = errors;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
validate56.errors = [{instancePath:instancePath+"/required/ran",schemaPath:"#/properties/required/properties/ran/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs23){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 0 || isNaN(data11)){
validate56.errors = [{instancePath:instancePath+"/required/ran",schemaPath:"#/properties/required/properties/ran/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid2 = _errs23 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data9.not_testable !== undefined){
let data12 = data9.not_testable;
const _errs25 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate56.errors = [{instancePath:instancePath+"/required/not_testable",schemaPath:"#/properties/required/properties/not_testable/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs25){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 < 0 || isNaN(data12)){
validate56.errors = [{instancePath:instancePath+"/required/not_testable",schemaPath:"#/properties/required/properties/not_testable/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid2 = _errs25 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate56.errors = [{instancePath:instancePath+"/required",schemaPath:"#/properties/required/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.not_testable !== undefined){
let data13 = data.not_testable;
const _errs27 = errors;
if(errors === _errs27){
if(Array.isArray(data13)){
var valid3 = true;
const len0 = data13.length;
for(let i0=0; i0<len0; i0++){
let data14 = data13[i0];
const _errs29 = errors;
if(errors === _errs29){
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
let missing3;
if(((data14.reason === undefined) && (missing3 = "reason")) || ((data14.checks === undefined) && (missing3 = "checks"))){
validate56.errors = [{instancePath:instancePath+"/not_testable/" + i0,schemaPath:"#/properties/not_testable/items/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
if(data14.reason !== undefined){
const _errs31 = errors;
if(typeof data14.reason !== "string"){
validate56.errors = [{instancePath:instancePath+"/not_testable/" + i0+"/reason",schemaPath:"#/properties/not_testable/items/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs31 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data14.checks !== undefined){
let data16 = data14.checks;
const _errs33 = errors;
if(errors === _errs33){
if(Array.isArray(data16)){
var valid5 = true;
const len1 = data16.length;
for(let i1=0; i1<len1; i1++){
const _errs35 = errors;
if(!(validate55(data16[i1], {instancePath:instancePath+"/not_testable/" + i0+"/checks/" + i1,parentData:data16,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid5 = _errs35 === errors;
if(!valid5){
break;
}
}
}
else {
validate56.errors = [{instancePath:instancePath+"/not_testable/" + i0+"/checks",schemaPath:"#/properties/not_testable/items/properties/checks/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid4 = _errs33 === errors;
}
else {
var valid4 = true;
}
}
}
}
else {
validate56.errors = [{instancePath:instancePath+"/not_testable/" + i0,schemaPath:"#/properties/not_testable/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs29 === errors;
if(!valid3){
break;
}
}
}
else {
validate56.errors = [{instancePath:instancePath+"/not_testable",schemaPath:"#/properties/not_testable/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate56.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate56.errors = vErrors;
return errors === 0;
}
validate56.evaluated = {"props":{"headline":true,"checks":true,"states":true,"required":true,"not_testable":true},"dynamicProps":false,"dynamicItems":false};


const schema24 = {"title":"Verdict","type":"object","properties":{"outcome":{"enum":["conforms","violations","harness-error","incomplete","interrupted"],"description":"conforms: all required checks that ran passed, or failed as expected."},"exit_code":{"type":"integer","minimum":0},"reasons":{"type":"array","items":{"type":"string"},"description":"Reasons for an outcome other than conforms, one sentence each."},"expected_failures":{"type":"array","items":{"$ref":"#/definitions/CheckId"},"description":"Checks that failed or warned, as expected."},"stale_expectations":{"type":"array","items":{"title":"StaleExpectation","type":"object","properties":{"check":{"type":"string"},"problem":{"type":"string","description":"The check passes now, or does not exist."}},"required":["check","problem"]}}},"required":["outcome","exit_code","reasons","expected_failures","stale_expectations"]};

function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate58.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.outcome === undefined) && (missing0 = "outcome")) || ((data.exit_code === undefined) && (missing0 = "exit_code"))) || ((data.reasons === undefined) && (missing0 = "reasons"))) || ((data.expected_failures === undefined) && (missing0 = "expected_failures"))) || ((data.stale_expectations === undefined) && (missing0 = "stale_expectations"))){
validate58.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.outcome !== undefined){
let data0 = data.outcome;
const _errs1 = errors;
if(!(((((data0 === "conforms") || (data0 === "violations")) || (data0 === "harness-error")) || (data0 === "incomplete")) || (data0 === "interrupted"))){
validate58.errors = [{instancePath:instancePath+"/outcome",schemaPath:"#/properties/outcome/enum",keyword:"enum",params:{allowedValues: schema24.properties.outcome.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.exit_code !== undefined){
let data1 = data.exit_code;
const _errs2 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate58.errors = [{instancePath:instancePath+"/exit_code",schemaPath:"#/properties/exit_code/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate58.errors = [{instancePath:instancePath+"/exit_code",schemaPath:"#/properties/exit_code/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reasons !== undefined){
let data2 = data.reasons;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data2)){
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(typeof data2[i0] !== "string"){
validate58.errors = [{instancePath:instancePath+"/reasons/" + i0,schemaPath:"#/properties/reasons/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validate58.errors = [{instancePath:instancePath+"/reasons",schemaPath:"#/properties/reasons/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expected_failures !== undefined){
let data4 = data.expected_failures;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data4)){
var valid2 = true;
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
const _errs10 = errors;
if(!(validate55(data4[i1], {instancePath:instancePath+"/expected_failures/" + i1,parentData:data4,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid2 = _errs10 === errors;
if(!valid2){
break;
}
}
}
else {
validate58.errors = [{instancePath:instancePath+"/expected_failures",schemaPath:"#/properties/expected_failures/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stale_expectations !== undefined){
let data6 = data.stale_expectations;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data6)){
var valid3 = true;
const len2 = data6.length;
for(let i2=0; i2<len2; i2++){
let data7 = data6[i2];
const _errs13 = errors;
if(errors === _errs13){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing1;
if(((data7.check === undefined) && (missing1 = "check")) || ((data7.problem === undefined) && (missing1 = "problem"))){
validate58.errors = [{instancePath:instancePath+"/stale_expectations/" + i2,schemaPath:"#/properties/stale_expectations/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data7.check !== undefined){
const _errs15 = errors;
if(typeof data7.check !== "string"){
validate58.errors = [{instancePath:instancePath+"/stale_expectations/" + i2+"/check",schemaPath:"#/properties/stale_expectations/items/properties/check/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs15 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data7.problem !== undefined){
const _errs17 = errors;
if(typeof data7.problem !== "string"){
validate58.errors = [{instancePath:instancePath+"/stale_expectations/" + i2+"/problem",schemaPath:"#/properties/stale_expectations/items/properties/problem/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs17 === errors;
}
else {
var valid4 = true;
}
}
}
}
else {
validate58.errors = [{instancePath:instancePath+"/stale_expectations/" + i2,schemaPath:"#/properties/stale_expectations/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs13 === errors;
if(!valid3){
break;
}
}
}
else {
validate58.errors = [{instancePath:instancePath+"/stale_expectations",schemaPath:"#/properties/stale_expectations/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate58.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate58.errors = vErrors;
return errors === 0;
}
validate58.evaluated = {"props":{"outcome":true,"exit_code":true,"reasons":true,"expected_failures":true,"stale_expectations":true},"dynamicProps":false,"dynamicItems":false};


const schema25 = {"title":"Profile","description":"A set of checks.","enum":["discovery","core","full","soak","hostile"]};

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate60.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((((data === "discovery") || (data === "core")) || (data === "full")) || (data === "soak")) || (data === "hostile"))){
validate60.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema25.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate60.errors = vErrors;
return errors === 0;
}
validate60.evaluated = {"dynamicProps":false,"dynamicItems":false};


const schema26 = {"title":"Level","description":"How binding a requirement is.","enum":["must","should","may"]};

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate61.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((data === "must") || (data === "should")) || (data === "may"))){
validate61.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema26.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate61.errors = vErrors;
return errors === 0;
}
validate61.evaluated = {"dynamicProps":false,"dynamicItems":false};


const schema27 = {"title":"State","description":"pass: the requirement is met. fail: a MUST is not met, or the implementation has an extension and does it otherwise. warn: a SHOULD is not met. n/a: the requirement does not apply, or is a MAY that is not implemented, or the documents allow another reading that the server follows. not-testable: a prerequisite of the check is missing; never a pass. harness-error: a bug in the suite.","enum":["pass","fail","warn","n/a","not-testable","harness-error"]};

function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate62.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((((((data === "pass") || (data === "fail")) || (data === "warn")) || (data === "n/a")) || (data === "not-testable")) || (data === "harness-error"))){
validate62.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema27.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate62.errors = vErrors;
return errors === 0;
}
validate62.evaluated = {"dynamicProps":false,"dynamicItems":false};


const schema28 = {"title":"EvidenceHeaders","description":"Header lines in order, spelled as they were sent.","type":"array","items":{"title":"EvidenceHeader","type":"object","properties":{"name":{"type":"string"},"value":{"type":"string"}},"required":["name","value"]}};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
const _errs1 = errors;
if(errors === _errs1){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing0;
if(((data0.name === undefined) && (missing0 = "name")) || ((data0.value === undefined) && (missing0 = "value"))){
validate63.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data0.name !== undefined){
const _errs3 = errors;
if(typeof data0.name !== "string"){
validate63.errors = [{instancePath:instancePath+"/" + i0+"/name",schemaPath:"#/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs3 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data0.value !== undefined){
const _errs5 = errors;
if(typeof data0.value !== "string"){
validate63.errors = [{instancePath:instancePath+"/" + i0+"/value",schemaPath:"#/items/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs5 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate63.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate63.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};


const schema29 = {"title":"EvidenceBody","type":"object","properties":{"encoding":{"enum":["utf-8","base64"],"description":"Encoding of content: base64 if the body is not UTF-8."},"content":{"type":"string","description":"The body, or its beginning."},"length":{"type":"integer","minimum":0,"description":"Length of the whole body in bytes."},"is_cut":{"type":"boolean","description":"True if content has only the beginning of the body."}},"required":["encoding","content","length","is_cut"]};

function validate64(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate64.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.encoding === undefined) && (missing0 = "encoding")) || ((data.content === undefined) && (missing0 = "content"))) || ((data.length === undefined) && (missing0 = "length"))) || ((data.is_cut === undefined) && (missing0 = "is_cut"))){
validate64.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.encoding !== undefined){
let data0 = data.encoding;
const _errs1 = errors;
if(!((data0 === "utf-8") || (data0 === "base64"))){
validate64.errors = [{instancePath:instancePath+"/encoding",schemaPath:"#/properties/encoding/enum",keyword:"enum",params:{allowedValues: schema29.properties.encoding.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.content !== undefined){
const _errs2 = errors;
if(typeof data.content !== "string"){
validate64.errors = [{instancePath:instancePath+"/content",schemaPath:"#/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.length !== undefined){
let data2 = data.length;
const _errs4 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate64.errors = [{instancePath:instancePath+"/length",schemaPath:"#/properties/length/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate64.errors = [{instancePath:instancePath+"/length",schemaPath:"#/properties/length/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.is_cut !== undefined){
const _errs6 = errors;
if(typeof data.is_cut !== "boolean"){
validate64.errors = [{instancePath:instancePath+"/is_cut",schemaPath:"#/properties/is_cut/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate64.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate64.errors = vErrors;
return errors === 0;
}
validate64.evaluated = {"props":{"encoding":true,"content":true,"length":true,"is_cut":true},"dynamicProps":false,"dynamicItems":false};


const schema30 = {"title":"EvidenceExchange","description":"One request and its response, without secrets and without the values of headers that the user added.","type":"object","properties":{"number":{"type":"integer","minimum":1,"description":"Ascending number within the run."},"method":{"type":"string","description":"RAW for bytes that are sent as they are."},"url":{"type":"string"},"request_headers":{"$ref":"#/definitions/EvidenceHeaders"},"request_body":{"anyOf":[{"$ref":"#/definitions/EvidenceBody"},{"type":"null"}]},"sent_at_ms":{"type":"number","minimum":0},"status":{"type":["integer","null"],"description":"Null if there was no response."},"response_headers":{"$ref":"#/definitions/EvidenceHeaders"},"response_body":{"$ref":"#/definitions/EvidenceBody"},"pieces":{"type":"array","items":{"title":"EvidencePiece","type":"object","properties":{"at_ms":{"type":"number","minimum":0},"bytes":{"type":"integer","minimum":0}},"required":["at_ms","bytes"]},"description":"Arrival times of the parts of response_body, in order."},"head_at_ms":{"type":["number","null"],"minimum":0,"description":"Arrival time of the head of the response."},"ended_at_ms":{"type":["number","null"],"minimum":0,"description":"Time at which the response ended or broke off."},"failure":{"type":["string","null"],"description":"Reason why there is no response, or no complete one."},"curl":{"type":["string","null"],"description":"Command for bash or zsh that sends the same request; null if there is none."}},"required":["number","method","url","request_headers","request_body","sent_at_ms","status","response_headers","response_body","pieces","head_at_ms","ended_at_ms","failure","curl"]};

function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate65.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((data.number === undefined) && (missing0 = "number")) || ((data.method === undefined) && (missing0 = "method"))) || ((data.url === undefined) && (missing0 = "url"))) || ((data.request_headers === undefined) && (missing0 = "request_headers"))) || ((data.request_body === undefined) && (missing0 = "request_body"))) || ((data.sent_at_ms === undefined) && (missing0 = "sent_at_ms"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.response_headers === undefined) && (missing0 = "response_headers"))) || ((data.response_body === undefined) && (missing0 = "response_body"))) || ((data.pieces === undefined) && (missing0 = "pieces"))) || ((data.head_at_ms === undefined) && (missing0 = "head_at_ms"))) || ((data.ended_at_ms === undefined) && (missing0 = "ended_at_ms"))) || ((data.failure === undefined) && (missing0 = "failure"))) || ((data.curl === undefined) && (missing0 = "curl"))){
validate65.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.number !== undefined){
let data0 = data.number;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate65.errors = [{instancePath:instancePath+"/number",schemaPath:"#/properties/number/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 1 || isNaN(data0)){
validate65.errors = [{instancePath:instancePath+"/number",schemaPath:"#/properties/number/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.method !== undefined){
const _errs3 = errors;
if(typeof data.method !== "string"){
validate65.errors = [{instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.url !== undefined){
const _errs5 = errors;
if(typeof data.url !== "string"){
validate65.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.request_headers !== undefined){
const _errs7 = errors;
if(!(validate63(data.request_headers, {instancePath:instancePath+"/request_headers",parentData:data,parentDataProperty:"request_headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.request_body !== undefined){
let data4 = data.request_body;
const _errs8 = errors;
const _errs9 = errors;
let valid1 = false;
const _errs10 = errors;
if(!(validate64(data4, {instancePath:instancePath+"/request_body",parentData:data,parentDataProperty:"request_body",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate64.errors : vErrors.concat(validate64.errors);
errors = vErrors.length;
}
var _valid0 = _errs10 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
var props0 = Object.create(null);
props0.encoding = true;
props0.content = true;
props0.length = true;
props0.is_cut = true;
}
const _errs11 = errors;
if(data4 !== null){
const err0 = {instancePath:instancePath+"/request_body",schemaPath:"#/properties/request_body/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs11 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/request_body",schemaPath:"#/properties/request_body/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate65.errors = vErrors;
return false;
}
else {
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sent_at_ms !== undefined){
let data5 = data.sent_at_ms;
const _errs13 = errors;
if(errors === _errs13){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
validate65.errors = [{instancePath:instancePath+"/sent_at_ms",schemaPath:"#/properties/sent_at_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate65.errors = [{instancePath:instancePath+"/sent_at_ms",schemaPath:"#/properties/sent_at_ms/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data6 = data.status;
const _errs15 = errors;
if((!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))) && (data6 !== null)){
validate65.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: schema30.properties.status.type},message:"must be integer,null"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.response_headers !== undefined){
const _errs17 = errors;
if(!(validate63(data.response_headers, {instancePath:instancePath+"/response_headers",parentData:data,parentDataProperty:"response_headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.response_body !== undefined){
const _errs18 = errors;
if(!(validate64(data.response_body, {instancePath:instancePath+"/response_body",parentData:data,parentDataProperty:"response_body",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate64.errors : vErrors.concat(validate64.errors);
errors = vErrors.length;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pieces !== undefined){
let data9 = data.pieces;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data9)){
var valid2 = true;
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
let data10 = data9[i0];
const _errs21 = errors;
if(errors === _errs21){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
let missing1;
if(((data10.at_ms === undefined) && (missing1 = "at_ms")) || ((data10.bytes === undefined) && (missing1 = "bytes"))){
validate65.errors = [{instancePath:instancePath+"/pieces/" + i0,schemaPath:"#/properties/pieces/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data10.at_ms !== undefined){
let data11 = data10.at_ms;
const _errs23 = errors;
if(errors === _errs23){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 0 || isNaN(data11)){
validate65.errors = [{instancePath:instancePath+"/pieces/" + i0+"/at_ms",schemaPath:"#/properties/pieces/items/properties/at_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate65.errors = [{instancePath:instancePath+"/pieces/" + i0+"/at_ms",schemaPath:"#/properties/pieces/items/properties/at_ms/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid3 = _errs23 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data10.bytes !== undefined){
let data12 = data10.bytes;
const _errs25 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate65.errors = [{instancePath:instancePath+"/pieces/" + i0+"/bytes",schemaPath:"#/properties/pieces/items/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs25){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 < 0 || isNaN(data12)){
validate65.errors = [{instancePath:instancePath+"/pieces/" + i0+"/bytes",schemaPath:"#/properties/pieces/items/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid3 = _errs25 === errors;
}
else {
var valid3 = true;
}
}
}
}
else {
validate65.errors = [{instancePath:instancePath+"/pieces/" + i0,schemaPath:"#/properties/pieces/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs21 === errors;
if(!valid2){
break;
}
}
}
else {
validate65.errors = [{instancePath:instancePath+"/pieces",schemaPath:"#/properties/pieces/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.head_at_ms !== undefined){
let data13 = data.head_at_ms;
const _errs27 = errors;
if((!((typeof data13 == "number") && (isFinite(data13)))) && (data13 !== null)){
validate65.errors = [{instancePath:instancePath+"/head_at_ms",schemaPath:"#/properties/head_at_ms/type",keyword:"type",params:{type: schema30.properties.head_at_ms.type},message:"must be number,null"}];
return false;
}
if(errors === _errs27){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
validate65.errors = [{instancePath:instancePath+"/head_at_ms",schemaPath:"#/properties/head_at_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ended_at_ms !== undefined){
let data14 = data.ended_at_ms;
const _errs29 = errors;
if((!((typeof data14 == "number") && (isFinite(data14)))) && (data14 !== null)){
validate65.errors = [{instancePath:instancePath+"/ended_at_ms",schemaPath:"#/properties/ended_at_ms/type",keyword:"type",params:{type: schema30.properties.ended_at_ms.type},message:"must be number,null"}];
return false;
}
if(errors === _errs29){
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 < 0 || isNaN(data14)){
validate65.errors = [{instancePath:instancePath+"/ended_at_ms",schemaPath:"#/properties/ended_at_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failure !== undefined){
let data15 = data.failure;
const _errs31 = errors;
if((typeof data15 !== "string") && (data15 !== null)){
validate65.errors = [{instancePath:instancePath+"/failure",schemaPath:"#/properties/failure/type",keyword:"type",params:{type: schema30.properties.failure.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.curl !== undefined){
let data16 = data.curl;
const _errs33 = errors;
if((typeof data16 !== "string") && (data16 !== null)){
validate65.errors = [{instancePath:instancePath+"/curl",schemaPath:"#/properties/curl/type",keyword:"type",params:{type: schema30.properties.curl.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate65.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate65.errors = vErrors;
return errors === 0;
}
validate65.evaluated = {"props":{"number":true,"method":true,"url":true,"request_headers":true,"request_body":true,"sent_at_ms":true,"status":true,"response_headers":true,"response_body":true,"pieces":true,"head_at_ms":true,"ended_at_ms":true,"failure":true,"curl":true},"dynamicProps":false,"dynamicItems":false};


const schema31 = {"title":"CheckResult","description":"Result of one check.","type":"object","properties":{"check":{"$ref":"#/definitions/CheckId"},"title":{"type":"string","description":"The expected behaviour."},"requirement":{"type":"string","description":"Id of the requirement."},"level":{"$ref":"#/definitions/Level"},"contested":{"type":"boolean","description":"The documents allow two readings, so the check never fails."},"sentence":{"type":"string","description":"Text of the requirement."},"document":{"type":"string","description":"Document of the standard that the requirement comes from."},"heading":{"type":"string"},"state":{"$ref":"#/definitions/State"},"violated":{"type":"boolean","description":"True if the requirement is not met, whatever its level."},"expected_failure":{"type":["string","null"],"description":"Reason why the check was expected to fail or to warn, and did; null for all others."},"of_sdk":{"type":"string","description":"Name of the SDK that causes the failure, in every environment; only with `--sdk`."},"message":{"type":["string","null"],"description":"Behaviour of the server, or the missing prerequisite; null for a plain pass."},"notes":{"type":"array","items":{"type":"string"},"description":"Observations about behaviour that the documents leave open."},"duration_ms":{"type":"integer","minimum":0},"exchanges":{"type":"array","items":{"$ref":"#/definitions/EvidenceExchange"}},"exchanges_left_out":{"type":"integer","minimum":0,"description":"Number of omitted exchanges: for a check that passed, only the last ones are kept."}},"required":["check","title","requirement","level","contested","sentence","document","heading","state","violated","expected_failure","message","notes","duration_ms","exchanges","exchanges_left_out"]};

function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate70.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((((data.check === undefined) && (missing0 = "check")) || ((data.title === undefined) && (missing0 = "title"))) || ((data.requirement === undefined) && (missing0 = "requirement"))) || ((data.level === undefined) && (missing0 = "level"))) || ((data.contested === undefined) && (missing0 = "contested"))) || ((data.sentence === undefined) && (missing0 = "sentence"))) || ((data.document === undefined) && (missing0 = "document"))) || ((data.heading === undefined) && (missing0 = "heading"))) || ((data.state === undefined) && (missing0 = "state"))) || ((data.violated === undefined) && (missing0 = "violated"))) || ((data.expected_failure === undefined) && (missing0 = "expected_failure"))) || ((data.message === undefined) && (missing0 = "message"))) || ((data.notes === undefined) && (missing0 = "notes"))) || ((data.duration_ms === undefined) && (missing0 = "duration_ms"))) || ((data.exchanges === undefined) && (missing0 = "exchanges"))) || ((data.exchanges_left_out === undefined) && (missing0 = "exchanges_left_out"))){
validate70.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.check !== undefined){
const _errs1 = errors;
if(!(validate55(data.check, {instancePath:instancePath+"/check",parentData:data,parentDataProperty:"check",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.title !== undefined){
const _errs2 = errors;
if(typeof data.title !== "string"){
validate70.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requirement !== undefined){
const _errs4 = errors;
if(typeof data.requirement !== "string"){
validate70.errors = [{instancePath:instancePath+"/requirement",schemaPath:"#/properties/requirement/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.level !== undefined){
const _errs6 = errors;
if(!(validate61(data.level, {instancePath:instancePath+"/level",parentData:data,parentDataProperty:"level",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.contested !== undefined){
const _errs7 = errors;
if(typeof data.contested !== "boolean"){
validate70.errors = [{instancePath:instancePath+"/contested",schemaPath:"#/properties/contested/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sentence !== undefined){
const _errs9 = errors;
if(typeof data.sentence !== "string"){
validate70.errors = [{instancePath:instancePath+"/sentence",schemaPath:"#/properties/sentence/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.document !== undefined){
const _errs11 = errors;
if(typeof data.document !== "string"){
validate70.errors = [{instancePath:instancePath+"/document",schemaPath:"#/properties/document/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.heading !== undefined){
const _errs13 = errors;
if(typeof data.heading !== "string"){
validate70.errors = [{instancePath:instancePath+"/heading",schemaPath:"#/properties/heading/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.state !== undefined){
const _errs15 = errors;
if(!(validate62(data.state, {instancePath:instancePath+"/state",parentData:data,parentDataProperty:"state",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.violated !== undefined){
const _errs16 = errors;
if(typeof data.violated !== "boolean"){
validate70.errors = [{instancePath:instancePath+"/violated",schemaPath:"#/properties/violated/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expected_failure !== undefined){
let data10 = data.expected_failure;
const _errs18 = errors;
if((typeof data10 !== "string") && (data10 !== null)){
validate70.errors = [{instancePath:instancePath+"/expected_failure",schemaPath:"#/properties/expected_failure/type",keyword:"type",params:{type: schema31.properties.expected_failure.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.of_sdk !== undefined){
const _errs20 = errors;
if(typeof data.of_sdk !== "string"){
validate70.errors = [{instancePath:instancePath+"/of_sdk",schemaPath:"#/properties/of_sdk/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data12 = data.message;
const _errs22 = errors;
if((typeof data12 !== "string") && (data12 !== null)){
validate70.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: schema31.properties.message.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.notes !== undefined){
let data13 = data.notes;
const _errs24 = errors;
if(errors === _errs24){
if(Array.isArray(data13)){
var valid1 = true;
const len0 = data13.length;
for(let i0=0; i0<len0; i0++){
const _errs26 = errors;
if(typeof data13[i0] !== "string"){
validate70.errors = [{instancePath:instancePath+"/notes/" + i0,schemaPath:"#/properties/notes/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs26 === errors;
if(!valid1){
break;
}
}
}
else {
validate70.errors = [{instancePath:instancePath+"/notes",schemaPath:"#/properties/notes/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.duration_ms !== undefined){
let data15 = data.duration_ms;
const _errs28 = errors;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
validate70.errors = [{instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs28){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 < 0 || isNaN(data15)){
validate70.errors = [{instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.exchanges !== undefined){
let data16 = data.exchanges;
const _errs30 = errors;
if(errors === _errs30){
if(Array.isArray(data16)){
var valid2 = true;
const len1 = data16.length;
for(let i1=0; i1<len1; i1++){
const _errs32 = errors;
if(!(validate65(data16[i1], {instancePath:instancePath+"/exchanges/" + i1,parentData:data16,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid2 = _errs32 === errors;
if(!valid2){
break;
}
}
}
else {
validate70.errors = [{instancePath:instancePath+"/exchanges",schemaPath:"#/properties/exchanges/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.exchanges_left_out !== undefined){
let data18 = data.exchanges_left_out;
const _errs33 = errors;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
validate70.errors = [{instancePath:instancePath+"/exchanges_left_out",schemaPath:"#/properties/exchanges_left_out/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs33){
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 < 0 || isNaN(data18)){
validate70.errors = [{instancePath:instancePath+"/exchanges_left_out",schemaPath:"#/properties/exchanges_left_out/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate70.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate70.errors = vErrors;
return errors === 0;
}
validate70.evaluated = {"props":{"check":true,"title":true,"requirement":true,"level":true,"contested":true,"sentence":true,"document":true,"heading":true,"state":true,"violated":true,"expected_failure":true,"of_sdk":true,"message":true,"notes":true,"duration_ms":true,"exchanges":true,"exchanges_left_out":true},"dynamicProps":false,"dynamicItems":false};

const definition0 = validate75;
const schema32 = {"title":"ConformanceResults","description":"Results of one run of `ors conformance` or `ors conformance-client`. Times named _ms are milliseconds since the start of the run; durations are milliseconds. Later versions may add fields; schema_version changes if a field is removed or changes its meaning.","type":"object","properties":{"schema_version":{"const":1},"suite":{"type":"string","minLength":1,"description":"Name and version of the suite."},"requirements_revision":{"type":"string","minLength":1,"description":"Changes with every change to the requirements."},"subject":{"enum":["server","client"],"description":"Kind of implementation that was tested."},"client":{"type":["string","null"],"description":"Name and version that the client reports; null if it reports none, or if the subject is a server."},"url":{"type":"string","pattern":"^https?://[^/@]+(/.*)?$","description":"Base URL of the server, without user name and password; for a client, that of its servers, without ports."},"environment":{"type":"string","description":"The environment under test."},"environments":{"type":"array","items":{"type":"string"},"description":"All environments that the server lists."},"started_at":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$","description":"ISO 8601, in UTC."},"duration_ms":{"type":"integer","minimum":0},"interrupted":{"type":"boolean","description":"True if the user interrupted the run."},"profiles":{"type":"array","items":{"$ref":"#/definitions/Profile"}},"seed":{"type":"integer","description":"Seed of all random values."},"budget":{"$ref":"#/definitions/Budget"},"used":{"$ref":"#/definitions/Use"},"summary":{"$ref":"#/definitions/Summary"},"verdict":{"$ref":"#/definitions/Verdict"},"results":{"type":"array","items":{"$ref":"#/definitions/CheckResult"},"description":"Results in the order of reports."}},"required":["schema_version","suite","requirements_revision","subject","client","url","environment","environments","started_at","duration_ms","interrupted","profiles","seed","budget","used","summary","verdict","results"]};
const pattern4 = new RegExp("^https?://[^/@]+(/.*)?$", "u");
const pattern5 = new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$", "u");

function validate75(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate75.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((((((data.schema_version === undefined) && (missing0 = "schema_version")) || ((data.suite === undefined) && (missing0 = "suite"))) || ((data.requirements_revision === undefined) && (missing0 = "requirements_revision"))) || ((data.subject === undefined) && (missing0 = "subject"))) || ((data.client === undefined) && (missing0 = "client"))) || ((data.url === undefined) && (missing0 = "url"))) || ((data.environment === undefined) && (missing0 = "environment"))) || ((data.environments === undefined) && (missing0 = "environments"))) || ((data.started_at === undefined) && (missing0 = "started_at"))) || ((data.duration_ms === undefined) && (missing0 = "duration_ms"))) || ((data.interrupted === undefined) && (missing0 = "interrupted"))) || ((data.profiles === undefined) && (missing0 = "profiles"))) || ((data.seed === undefined) && (missing0 = "seed"))) || ((data.budget === undefined) && (missing0 = "budget"))) || ((data.used === undefined) && (missing0 = "used"))) || ((data.summary === undefined) && (missing0 = "summary"))) || ((data.verdict === undefined) && (missing0 = "verdict"))) || ((data.results === undefined) && (missing0 = "results"))){
validate75.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.schema_version !== undefined){
const _errs1 = errors;
if(1 !== data.schema_version){
validate75.errors = [{instancePath:instancePath+"/schema_version",schemaPath:"#/properties/schema_version/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.suite !== undefined){
let data1 = data.suite;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data1 === "string"){
if(func2(data1) < 1){
validate75.errors = [{instancePath:instancePath+"/suite",schemaPath:"#/properties/suite/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate75.errors = [{instancePath:instancePath+"/suite",schemaPath:"#/properties/suite/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requirements_revision !== undefined){
let data2 = data.requirements_revision;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(func2(data2) < 1){
validate75.errors = [{instancePath:instancePath+"/requirements_revision",schemaPath:"#/properties/requirements_revision/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate75.errors = [{instancePath:instancePath+"/requirements_revision",schemaPath:"#/properties/requirements_revision/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.subject !== undefined){
let data3 = data.subject;
const _errs6 = errors;
if(!((data3 === "server") || (data3 === "client"))){
validate75.errors = [{instancePath:instancePath+"/subject",schemaPath:"#/properties/subject/enum",keyword:"enum",params:{allowedValues: schema32.properties.subject.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client !== undefined){
let data4 = data.client;
const _errs7 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate75.errors = [{instancePath:instancePath+"/client",schemaPath:"#/properties/client/type",keyword:"type",params:{type: schema32.properties.client.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.url !== undefined){
let data5 = data.url;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data5 === "string"){
if(!pattern4.test(data5)){
validate75.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/pattern",keyword:"pattern",params:{pattern: "^https?://[^/@]+(/.*)?$"},message:"must match pattern \""+"^https?://[^/@]+(/.*)?$"+"\""}];
return false;
}
}
else {
validate75.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.environment !== undefined){
const _errs11 = errors;
if(typeof data.environment !== "string"){
validate75.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.environments !== undefined){
let data7 = data.environments;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data7)){
var valid1 = true;
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
const _errs15 = errors;
if(typeof data7[i0] !== "string"){
validate75.errors = [{instancePath:instancePath+"/environments/" + i0,schemaPath:"#/properties/environments/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs15 === errors;
if(!valid1){
break;
}
}
}
else {
validate75.errors = [{instancePath:instancePath+"/environments",schemaPath:"#/properties/environments/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.started_at !== undefined){
let data9 = data.started_at;
const _errs17 = errors;
if(errors === _errs17){
if(typeof data9 === "string"){
if(!pattern5.test(data9)){
validate75.errors = [{instancePath:instancePath+"/started_at",schemaPath:"#/properties/started_at/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$"},message:"must match pattern \""+"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$"+"\""}];
return false;
}
}
else {
validate75.errors = [{instancePath:instancePath+"/started_at",schemaPath:"#/properties/started_at/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.duration_ms !== undefined){
let data10 = data.duration_ms;
const _errs19 = errors;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
validate75.errors = [{instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs19){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 0 || isNaN(data10)){
validate75.errors = [{instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.interrupted !== undefined){
const _errs21 = errors;
if(typeof data.interrupted !== "boolean"){
validate75.errors = [{instancePath:instancePath+"/interrupted",schemaPath:"#/properties/interrupted/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.profiles !== undefined){
let data12 = data.profiles;
const _errs23 = errors;
if(errors === _errs23){
if(Array.isArray(data12)){
var valid2 = true;
const len1 = data12.length;
for(let i1=0; i1<len1; i1++){
const _errs25 = errors;
if(!(validate60(data12[i1], {instancePath:instancePath+"/profiles/" + i1,parentData:data12,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid2 = _errs25 === errors;
if(!valid2){
break;
}
}
}
else {
validate75.errors = [{instancePath:instancePath+"/profiles",schemaPath:"#/properties/profiles/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seed !== undefined){
let data14 = data.seed;
const _errs26 = errors;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
validate75.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.budget !== undefined){
const _errs28 = errors;
if(!(validate53(data.budget, {instancePath:instancePath+"/budget",parentData:data,parentDataProperty:"budget",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.used !== undefined){
const _errs29 = errors;
if(!(validate54(data.used, {instancePath:instancePath+"/used",parentData:data,parentDataProperty:"used",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.summary !== undefined){
const _errs30 = errors;
if(!(validate56(data.summary, {instancePath:instancePath+"/summary",parentData:data,parentDataProperty:"summary",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.verdict !== undefined){
const _errs31 = errors;
if(!(validate58(data.verdict, {instancePath:instancePath+"/verdict",parentData:data,parentDataProperty:"verdict",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors);
errors = vErrors.length;
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.results !== undefined){
let data19 = data.results;
const _errs32 = errors;
if(errors === _errs32){
if(Array.isArray(data19)){
var valid3 = true;
const len2 = data19.length;
for(let i2=0; i2<len2; i2++){
const _errs34 = errors;
if(!(validate70(data19[i2], {instancePath:instancePath+"/results/" + i2,parentData:data19,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var valid3 = _errs34 === errors;
if(!valid3){
break;
}
}
}
else {
validate75.errors = [{instancePath:instancePath+"/results",schemaPath:"#/properties/results/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate75.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate75.errors = vErrors;
return errors === 0;
}
validate75.evaluated = {"props":{"schema_version":true,"suite":true,"requirements_revision":true,"subject":true,"client":true,"url":true,"environment":true,"environments":true,"started_at":true,"duration_ms":true,"interrupted":true,"profiles":true,"seed":true,"budget":true,"used":true,"summary":true,"verdict":true,"results":true},"dynamicProps":false,"dynamicItems":false};

/** One validator per schema. */
export const validators: {
  readonly "ConformanceResults": Validator<types.ConformanceResults>;
} = {
  "ConformanceResults": definition0,
};
