{{- define "mneme.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "mneme.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "mneme.labels" -}}
app.kubernetes.io/name: mneme
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* What the pods of servers, workers and the migration have in common. */}}
{{- define "mneme.podSettings" -}}
serviceAccountName: {{ include "mneme.name" . }}
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
  {{- with .Values.files.existingClaim }}
  - name: files
    persistentVolumeClaim:
      claimName: {{ . }}
  {{- end }}
{{- end -}}

{{- define "mneme.containerSettings" -}}
image: {{ include "mneme.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  {{- if .Values.files.existingClaim }}
  - name: files
    mountPath: /data/blobs
  {{- end }}
envFrom:
  - secretRef:
      name: {{ .Values.existingSecret }}
{{- end -}}

{{/* Names through which requests may come: those of the service, and that of the ingress. */}}
{{- define "mneme.hosts" -}}
{{- $name := include "mneme.name" . -}}
{{- $namespace := .Release.Namespace -}}
{{ $name }},{{ $name }}.{{ $namespace }},{{ $name }}.{{ $namespace }}.svc
{{- printf ",%s.%s.svc.cluster.local" $name $namespace -}}
{{- if .Values.ingress.enabled }},{{ .Values.ingress.host }}{{ end -}}
{{- end -}}

{{- define "mneme.env" -}}
- name: MNEME_METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
- name: MNEME_METRICS_HOST
  value: "0.0.0.0"
{{- if not (hasKey .Values.settings "MNEME_ALLOWED_HOSTS") }}
- name: MNEME_ALLOWED_HOSTS
  value: {{ include "mneme.hosts" . | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* Where other pods reach this one; a worker forwards searches and gets none. */}}
{{- define "mneme.peerEnv" -}}
{{- if .Values.server.divideSearches }}
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: MNEME_PEER_URL
  value: "http://{{ .Values.server.podAddress }}:7077"
{{- end }}
{{- end -}}

{{/* On the port for metrics, which workers have, too. */}}
{{- define "mneme.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: metrics }
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /livez, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
readinessProbe:
  httpGet: { path: /readyz, port: metrics }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end -}}
