{{- define "steward.name" -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}

{{- define "steward.labels" -}}
app.kubernetes.io/name: steward
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "steward.selector" -}}
app.kubernetes.io/name: steward
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* BASE_PATH as the service reads it: without a slash at its end. */}}
{{- define "steward.basePath" -}}
{{ .Values.settings.BASE_PATH | default "" | trimSuffix "/" }}
{{- end -}}
