// Generated from openapi/security.yaml by scripts/codegen.ts. Do not edit.
export interface paths {
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how things stand
         * @description One item per concern, measured when asked: sign-in, permissions, directory, sources, devices, backups, operation log and
         *     alerts. What is not known, or too old to be believed, is `risk`.
         */
        get: operations["listSecurityStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Newest first. Every cause has one open alert; when it comes up again, that one gets the newest description. A danger
         *     is told by mail and webhook at once, and once more when nobody has handled it within an hour.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/handle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark an alert as handled
         * @description Records who handled it and when. Handling it again changes nothing.
         */
        post: operations["handleAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List devices */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/devices/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the status of a device
         * @description Raises no alert. A device that sends heartbeats is online again with the next one; one that has sent any and is silent
         *     for `DEVICE_TIMEOUT` from now on is offline.
         */
        put: operations["setDeviceStatus"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List backups
         * @description Newest first.
         */
        get: operations["listBackups"];
        put?: never;
        /**
         * Make a backup
         * @description Answers when the file has been written, read back and checked; its `status` says whether it is one. A second request
         *     while one is made waits for it and answers the same record.
         */
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a backup
         * @description Needs the second factor. Verifies the whole file, makes a safety backup, then replaces all data in one transaction: a
         *     crash at any moment leaves the old state or the new one. All sessions end; the operation log, the backup records and the
         *     sessions are not rewound. The directory follows.
         */
        post: operations["restoreBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check everything afresh
         * @description Measures the status items and the configuration. The score is 100 less the deductions of the issues found, never below
         *     0: the same facts give the same score.
         */
        post: operations["checkSecurity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emergency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call for help
         * @description Raises a danger alert at once and notifies by mail and webhook. Never refused for a limit of its own below 10 a minute.
         */
        post: operations["callForHelp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the report
         * @description Renders the report and answers an address that shows it for 10 minutes, to whoever has it.
         */
        get: operations["getReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {integer} */
        SuccessCode: 200;
        /** @description For people; do not parse it */
        Message: string;
        Failure: {
            message: components["schemas"]["Message"];
            /** @description The fields at fault, where fields are */
            data: components["schemas"]["FieldProblem"][] | null;
        };
        FieldProblem: {
            /** @description The field's path, such as `status` */
            field: string;
            message: string;
        };
        /** Format: int64 */
        Id: number;
        /** Format: int64 */
        Total: number;
        /** @description In the time zone of the installation */
        Time: string;
        SecurityStatus: {
            id: components["schemas"]["Id"];
            name: string;
            description: string;
            /** @enum {string} */
            status: "safe" | "risk" | "danger";
            lastCheck: components["schemas"]["Time"];
            /** @description What was found, with its figures */
            details?: string;
        };
        CheckResult: {
            score: number;
            /** @description The worst first */
            issues: components["schemas"]["Issue"][];
        };
        Issue: {
            /** @enum {string} */
            level: "info" | "warning" | "danger";
            /** @description What was found, with its figures */
            description: string;
            /** @description The call or the setting that mends it */
            suggestion: string;
        };
        AlertList: {
            total: components["schemas"]["Total"];
            alerts: components["schemas"]["SecurityAlert"][];
        };
        SecurityAlert: {
            id: components["schemas"]["Id"];
            title: string;
            description: string;
            /** @enum {string} */
            level: "info" | "warning" | "danger";
            time: components["schemas"]["Time"];
            handled: boolean;
            /** @description Where it happened: an address, a source, the place of a device */
            location?: string;
            deviceId?: components["schemas"]["Id"];
        };
        HandledAlert: {
            id: components["schemas"]["Id"];
            title: string;
            description: string;
            /** @enum {string} */
            level: "info" | "warning" | "danger";
            time: components["schemas"]["Time"];
            handled: boolean;
            location?: string;
            deviceId?: components["schemas"]["Id"];
            /** @description The username of who handled it first */
            handledBy: string;
            handledTime: components["schemas"]["Time"];
        };
        DeviceList: {
            total: components["schemas"]["Total"];
            devices: components["schemas"]["SecurityDevice"][];
        };
        SecurityDevice: {
            id: components["schemas"]["Id"];
            name: string;
            type: string;
            status: components["schemas"]["DeviceStatus"];
            /** @description Per cent; absent where the device has none */
            battery?: number;
            lastUpdate: components["schemas"]["Time"];
        };
        /** @enum {string} */
        DeviceStatus: "online" | "offline";
        SetDeviceStatus: {
            status: components["schemas"]["DeviceStatus"];
        };
        BackupList: {
            total: components["schemas"]["Total"];
            backups: components["schemas"]["BackupRecord"][];
        };
        BackupRecord: {
            id: components["schemas"]["Id"];
            /** @enum {string} */
            type: "Automatic backup" | "Manual backup";
            /** @description With its unit: `1.4 MB` */
            size: string;
            time: components["schemas"]["Time"];
            /**
             * @description `success`: the file was read back, decrypted and checked
             * @enum {string}
             */
            status: "success" | "failed";
            /** @description Relative to the backup directory */
            path: string;
        };
        CreateBackup: {
            /** @enum {string} */
            type: "auto" | "manual";
        };
        Restored: {
            backupId: components["schemas"]["Id"];
            safetyBackupId: components["schemas"]["Id"];
            rows: components["schemas"]["Total"];
            time: components["schemas"]["Time"];
        };
        CallForHelp: {
            type: string;
            description: string;
        };
        EmergencyReceipt: {
            id: components["schemas"]["Id"];
            alertId: components["schemas"]["Id"];
            time: components["schemas"]["Time"];
            /** @description By which ways a notification is on its way */
            notified: ("mail" | "webhook")[];
        };
        ReportAddress: {
            /** @description A path on this host, `BASE_PATH` included */
            url: string;
        };
    };
    responses: {
        /** @description The status items */
        StatusList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": [
                 *         {
                 *           "id": 1,
                 *           "name": "Sign-in",
                 *           "description": "Failed sign-ins of the last 24 hours, and who is locked out",
                 *           "status": "safe",
                 *           "lastCheck": "2025-03-05 10:12:44",
                 *           "details": "3 failures from 1 address; 0 locks"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["SecurityStatus"][];
                };
            };
        };
        /** @description Alerts, newest first */
        AlertList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "alerts": [
                 *           {
                 *             "id": 12,
                 *             "title": "Locked after failed sign-ins",
                 *             "description": "10 failed sign-ins within 15 minutes for li.na, the last from 203.0.113.9; locked for 15 minutes",
                 *             "level": "warning",
                 *             "time": "2025-03-05 09:58:03",
                 *             "handled": false,
                 *             "location": "203.0.113.9"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["AlertList"];
                };
            };
        };
        /** @description The alert as it is now */
        Alert: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 12,
                 *         "title": "Locked after failed sign-ins",
                 *         "description": "10 failed sign-ins within 15 minutes for li.na, the last from 203.0.113.9; locked for 15 minutes",
                 *         "level": "warning",
                 *         "time": "2025-03-05 09:58:03",
                 *         "handled": true,
                 *         "location": "203.0.113.9",
                 *         "handledBy": "admin",
                 *         "handledTime": "2025-03-05 10:20:10"
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["HandledAlert"];
                };
            };
        };
        /** @description Devices */
        DeviceList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "devices": [
                 *           {
                 *             "id": 3,
                 *             "name": "Door of the server room",
                 *             "type": "door",
                 *             "status": "online",
                 *             "battery": 76,
                 *             "lastUpdate": "2025-03-05 10:11:30"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["DeviceList"];
                };
            };
        };
        /** @description The device as it is now */
        Device: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 3,
                 *         "name": "Door of the server room",
                 *         "type": "door",
                 *         "status": "online",
                 *         "battery": 76,
                 *         "lastUpdate": "2025-03-05 10:11:30"
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["SecurityDevice"];
                };
            };
        };
        /** @description Backups, newest first */
        BackupList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "backups": [
                 *           {
                 *             "id": 41,
                 *             "type": "Manual backup",
                 *             "size": "1.4 MB",
                 *             "time": "2025-03-05 10:15:00",
                 *             "status": "success",
                 *             "path": "2025-03-05T10-15-00Z-1f3a9c.backup"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["BackupList"];
                };
            };
        };
        /** @description The backup */
        Backup: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 41,
                 *         "type": "Manual backup",
                 *         "size": "1.4 MB",
                 *         "time": "2025-03-05 10:15:00",
                 *         "status": "success",
                 *         "path": "2025-03-05T10-15-00Z-1f3a9c.backup"
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["BackupRecord"];
                };
            };
        };
        /** @description What was restored */
        Restored: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "backupId": 41,
                 *         "safetyBackupId": 42,
                 *         "rows": 18250,
                 *         "time": "2025-03-05 10:31:09"
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["Restored"];
                };
            };
        };
        /** @description The score and what it was deducted for */
        Check: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "score": 85,
                 *         "issues": [
                 *           {
                 *             "level": "warning",
                 *             "description": "There is no proven backup: what is lost now is lost for good.",
                 *             "suggestion": "Make one: POST /api/v1/security/backups {\"type\": \"manual\"}."
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["CheckResult"];
                };
            };
        };
        /** @description The receipt */
        Emergency: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 5,
                 *         "alertId": 77,
                 *         "time": "2025-03-05 10:40:00",
                 *         "notified": [
                 *           "mail"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["EmergencyReceipt"];
                };
            };
        };
        /** @description Where the report is */
        Report: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "url": "/api/v1/operations/reports/9/page?expires=1741171200&signature=1b2f"
                 *       }
                 *     }
                 */
                "application/json": {
                    code: components["schemas"]["SuccessCode"];
                    message: components["schemas"]["Message"];
                    data: components["schemas"]["ReportAddress"];
                };
            };
        };
        /** @description No valid token, its user is disabled, or the second factor is missing */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 401,
                 *       "message": "a second factor is needed",
                 *       "data": {
                 *         "required": "second_factor",
                 *         "methods": [
                 *           "totp",
                 *           "recovery"
                 *         ],
                 *         "maxAge": 300
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @enum {integer} */
                    code: 401;
                    message: components["schemas"]["Message"];
                    /** @description What is missing, where it is the second factor */
                    data: {
                        /** @enum {string} */
                        required?: "second_factor";
                        methods?: ("totp" | "recovery" | "mail")[];
                        /** @description Seconds that a step-up counts */
                        maxAge?: number;
                    } | components["schemas"]["FieldProblem"][] | null;
                };
            };
        };
        /** @description The request is not valid */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 400,
                 *       "message": "status: must be online or offline",
                 *       "data": [
                 *         {
                 *           "field": "status",
                 *           "message": "must be online or offline"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 400;
                };
            };
        };
        /** @description The caller's roles do not grant this */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 403,
                 *       "message": "none of your roles grants this operation",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 403;
                };
            };
        };
        /** @description There is no such record */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 404,
                 *       "message": "there is no alert 12",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 404;
                };
            };
        };
        /** @description It cannot be done in the state things are in */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 409,
                 *       "message": "backup 41 is none: its status is failed",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 409;
                };
            };
        };
        /** @description The body is too large */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 413,
                 *       "message": "the body is too large",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 413;
                };
            };
        };
        /** @description The body is no JSON */
        UnsupportedMedia: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 415,
                 *       "message": "the body must be application/json",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 415;
                };
            };
        };
        /** @description Too many requests; `Retry-After` says how many seconds to wait */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 429,
                 *       "message": "too many requests",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 429;
                };
            };
        };
        /** @description An error of the service */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 500,
                 *       "message": "internal error, request 0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 500;
                };
            };
        };
        /** @description Not ready */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 503,
                 *       "message": "the database is not available",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Failure"] & {
                    /** @enum {integer} */
                    code: 503;
                };
            };
        };
    };
    parameters: {
        /**
         * @description The alert's id
         * @example 12
         */
        AlertId: components["schemas"]["Id"];
        /**
         * @description The device's id
         * @example 3
         */
        DeviceId: components["schemas"]["Id"];
        /**
         * @description The backup's id
         * @example 41
         */
        BackupId: components["schemas"]["Id"];
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSecurityStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusList"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Only those that are handled, or only those that are not */
                handled?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AlertList"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    handleAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The alert's id
                 * @example 12
                 */
                id: components["parameters"]["AlertId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Alert"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeviceList"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setDeviceStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device's id
                 * @example 3
                 */
                id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "offline"
                 *     }
                 */
                "application/json": components["schemas"]["SetDeviceStatus"];
            };
        };
        responses: {
            200: components["responses"]["Device"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BackupList"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "manual"
                 *     }
                 */
                "application/json": components["schemas"]["CreateBackup"];
            };
        };
        responses: {
            200: components["responses"]["Backup"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The backup's id
                 * @example 41
                 */
                id: components["parameters"]["BackupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Restored"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Check"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    callForHelp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "break-in",
                 *       "description": "The door of the server room stands open, and nobody of us is there."
                 *     }
                 */
                "application/json": components["schemas"]["CallForHelp"];
            };
        };
        responses: {
            200: components["responses"]["Emergency"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMedia"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Report"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
