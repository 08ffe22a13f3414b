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
         * Show the security status
         * @description One item for each area, measured at each request: sign-in, permissions, directory, sources, devices, backups,
         *     operation log and alerts. An item whose state is unknown, or was measured too long ago, is `risk`.
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
         * @description Newest first. Every cause has at most one open alert; when the cause occurs again, that alert gets the newest
         *     description. An alert of level `danger` is sent by mail and webhook at once, and once more if it is not
         *     handled within an hour.
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
         * @description Records who handled the alert and when. Handling it again changes nothing.
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
        /**
         * List devices
         * @description All devices, newest first, with the state that each reported last.
         */
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
         * @description Setting the status does not raise an alert. The next heartbeat of the device sets it to `online` again. A
         *     device that has ever sent a heartbeat becomes `offline` when it sends none for `DEVICE_TIMEOUT` from now on.
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
         * @description All backups, newest first.
         */
        get: operations["listBackups"];
        put?: never;
        /**
         * Create a backup
         * @description The response is sent after the file was written, read back and verified; `status` says whether the backup
         *     succeeded. A request that arrives during a backup waits for that backup and returns the same record.
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
         * @description Needs a step-up (401) and a role with `sort` 1 (403). 409 for a backup that contains no enabled user with a
         *     role of `sort` 1. Verifies the whole file, makes a safety backup of the current data, then replaces all data
         *     in one transaction: after a crash at any moment the database has either the old data or the new data. All
         *     sessions end. The operation log and the backup records are kept as they are. The directory follows.
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
         * Run a security check
         * @description Measures the status items and the configuration now. The score is 100 minus the points of the issues that were
         *     found, and at least 0. The same facts always give the same score.
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
         * @description Raises an alert of level `danger` at once, and sends it by mail and webhook. A user may call 10 times a
         *     minute.
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
         * @description Creates the report and returns its address. For 10 minutes, the address shows the report without a sign-in.
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
        /** @description A text for people; programs must not parse it */
        Message: string;
        /**
         * @description Why the request failed, for programs: `<what refused it>.<why>`. The meaning of a code never changes. New
         *     codes may be added: treat an unknown code by the value of `code`. docs/reasons.md lists all codes with their
         *     texts.
         * @enum {string}
         */
        FailureReason: "service.busy" | "service.client_gone" | "service.database_away" | "service.internal" | "service.invalid" | "service.log_away" | "service.limited" | "service.stopping" | "contract.no_operation" | "contract.no_method" | "contract.path_encoding" | "contract.path_too_long" | "contract.host_missing" | "contract.expectation" | "contract.unreadable" | "contract.not_http" | "contract.timed_out" | "contract.headers_too_large" | "contract.chunk_extensions_too_large" | "contract.body_too_large" | "contract.body_length" | "contract.media_type" | "contract.not_utf8" | "contract.not_json" | "contract.prototype" | "contract.too_deep" | "contract.name_nul" | "contract.name_surrogate" | "contract.required" | "contract.given_twice" | "contract.not_text" | "contract.not_whole_number" | "contract.not_number" | "contract.not_boolean" | "contract.not_object" | "contract.not_list" | "contract.not_null" | "contract.wrong_type" | "contract.not_one_of" | "contract.empty" | "contract.too_short" | "contract.too_long" | "contract.too_few_entries" | "contract.too_many_entries" | "contract.too_few_fields" | "contract.too_many_fields" | "contract.same_entry" | "contract.too_small" | "contract.too_great" | "contract.not_above" | "contract.not_below" | "contract.format" | "contract.pattern" | "contract.rule" | "contract.console_header" | "text.control_characters" | "text.control_characters_but_lines" | "text.nothing_visible" | "text.no_name" | "text.no_text" | "text.no_mail_address" | "text.no_mobile" | "text.no_date" | "text.no_time_of_day" | "text.nul" | "text.surrogate" | "text.password_length" | "text.password_common" | "text.password_known_name" | "access.not_signed_in" | "access.session_over" | "access.not_granted" | "access.roles_lost" | "access.strongest_only" | "access.step_up" | "access.step_up_without_factor" | "access.user_too_strong" | "access.group_users_too_strong" | "access.subtree_users_too_strong" | "access.role_too_strong" | "access.role_holders_too_strong" | "access.last_administrator" | "access.mail_signs_in" | "access.source_fixed" | "access.granted_role_too_strong" | "access.granted_role_beyond" | "access.role_beyond" | "access.api_not_held" | "access.menu_not_held" | "access.administrator_role_fixed" | "access.administrator_role_stays" | "access.administrator_role_grants_all" | "access.role_held" | "access.role_named" | "access.keyword_fixed" | "access.keyword_reserved" | "access.api_fixed" | "access.api_served" | "access.api_granted" | "access.role_name_taken" | "access.role_keyword_taken" | "access.menu_name_taken" | "access.api_taken" | "access.operation_not_found" | "access.link_signs_in" | "access.password_signs_in" | "auth.wrong_credentials" | "auth.token_invalid" | "auth.too_many_attempts" | "auth.wrong_password" | "auth.wrong_mail_code" | "auth.wrong_factor_code" | "auth.second_factor_required" | "auth.new_password_required" | "auth.same_password" | "auth.no_code_asked" | "auth.no_mailed_code" | "auth.enrolment_required" | "auth.enrolment_late" | "auth.link_void" | "auth.session_signed_out" | "auth.session_ended_password" | "auth.session_ended_disabled" | "auth.session_ended_theft" | "auth.session_ended_elsewhere" | "auth.session_ended_restore" | "auth.session_too_old" | "auth.session_not_found" | "auth.password_tools_off" | "auth.not_encrypted" | "auth.encrypted_text_void" | "auth.app_not_found" | "auth.user_without_app" | "auth.app_enrolled" | "auth.no_app_enrolled" | "auth.no_app_to_confirm" | "auth.app_key_changed" | "auth.other_step_up_method" | "auth.no_step_up_method" | "alerts.alert_not_found" | "devices.device_not_found" | "devices.unknown_token" | "devices.name_taken" | "backups.backup_not_found" | "backups.not_usable" | "backups.file_removed" | "backups.file_elsewhere" | "backups.not_downloadable" | "backups.not_removable" | "backups.newest_kept" | "backups.in_progress" | "backups.not_restorable" | "backups.safety_failed" | "backups.tables_busy" | "backups.failed" | "backups.path_outside";
        /**
         * @description The values in the text of the reason, by name; numbers are strings too. Empty if the text has no values. A value
         *     that can itself be translated is there a second time, under its name with `.0`, as the JSON of a statement
         *     `{code, params, text}`.
         */
        ReasonValues: {
            [key: string]: string;
        };
        /** @description The fields at fault, or null */
        FieldProblems: components["schemas"]["FieldProblem"][] | null;
        FieldProblem: {
            /** @description The field's path, such as `status` */
            field: string;
            message: string;
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        /** @description The second factor is missing; step up, then repeat the request */
        MissingFactor: {
            /** @enum {string} */
            required: "second_factor";
            methods: components["schemas"]["StepUpMethod"][];
            /** @description For how many seconds a step-up is valid */
            maxAge: number;
        };
        /**
         * @description A code of the authenticator app, a recovery code, or a mailed code
         * @enum {string}
         */
        StepUpMethod: "totp" | "recovery" | "mail";
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
            /** @description What was found, with numbers */
            details?: string;
        };
        CheckResult: {
            score: number;
            /** @description The most severe issue first */
            issues: components["schemas"]["Issue"][];
        };
        Issue: {
            /** @enum {string} */
            level: "info" | "warning" | "danger";
            /** @description What was found, with numbers */
            description: string;
            /** @description The operation or the setting that resolves the issue */
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
            /** @description Where it happened: an IP address, a source, or the location of a device */
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
            /** @description The username of the user who handled it first */
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
            /** @description Per cent; absent if the device does not report a battery */
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
            /** @description The channels by which a notification is sent */
            notified: ("mail" | "webhook")[];
        };
        ReportAddress: {
            /** @description A path on this host, `BASE_PATH` included */
            url: string;
        };
        StatusListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["SecurityStatus"][];
        };
        AlertListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["AlertList"];
        };
        AlertSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["HandledAlert"];
        };
        DeviceListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["DeviceList"];
        };
        DeviceSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["SecurityDevice"];
        };
        BackupListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["BackupList"];
        };
        BackupSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["BackupRecord"];
        };
        RestoredSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Restored"];
        };
        CheckSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["CheckResult"];
        };
        EmergencySuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["EmergencyReceipt"];
        };
        ReportSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["ReportAddress"];
        };
        UnauthenticatedFailure: {
            /** @enum {integer} */
            code: 401;
            message: components["schemas"]["Message"];
            /** @description What is required, if the second factor is missing; otherwise null */
            data: components["schemas"]["MissingFactor"] | null;
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        BadRequestFailure: {
            /** @enum {integer} */
            code: 400;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        ForbiddenFailure: {
            /** @enum {integer} */
            code: 403;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        NotFoundFailure: {
            /** @enum {integer} */
            code: 404;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        ConflictFailure: {
            /** @enum {integer} */
            code: 409;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        TooLargeFailure: {
            /** @enum {integer} */
            code: 413;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        UnsupportedMediaFailure: {
            /** @enum {integer} */
            code: 415;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        TooManyRequestsFailure: {
            /** @enum {integer} */
            code: 429;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        InternalErrorFailure: {
            /** @enum {integer} */
            code: 500;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        UnavailableFailure: {
            /** @enum {integer} */
            code: 503;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
    };
    responses: {
        /** @description The status items */
        StatusListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                 *           "description": "Failed sign-ins of the last 24 hours, and locked accounts",
                 *           "status": "safe",
                 *           "lastCheck": "2025-03-05 10:12:44",
                 *           "details": "3 failures from 1 address; 0 locks"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["StatusListSuccess"];
            };
        };
        /** @description Alerts, newest first */
        AlertListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "application/json": components["schemas"]["AlertListSuccess"];
            };
        };
        /** @description The alert as it is now */
        AlertResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "application/json": components["schemas"]["AlertSuccess"];
            };
        };
        /** @description Devices */
        DeviceListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "application/json": components["schemas"]["DeviceListSuccess"];
            };
        };
        /** @description The device as it is now */
        DeviceResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "application/json": components["schemas"]["DeviceSuccess"];
            };
        };
        /** @description Backups, newest first */
        BackupListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "application/json": components["schemas"]["BackupListSuccess"];
            };
        };
        /** @description The backup */
        BackupResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "application/json": components["schemas"]["BackupSuccess"];
            };
        };
        /** @description What was restored */
        RestoredResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                "application/json": components["schemas"]["RestoredSuccess"];
            };
        };
        /** @description The score, and the issues that cost points */
        CheckResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
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
                 *             "description": "There is no proven backup: data that is lost now cannot be restored.",
                 *             "suggestion": "Make one: POST /api/v1/security/backups {\"type\": \"manual\"}."
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CheckSuccess"];
            };
        };
        /** @description The receipt */
        EmergencyResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                "application/json": components["schemas"]["EmergencySuccess"];
            };
        };
        /** @description The address of the report */
        ReportResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                "application/json": components["schemas"]["ReportSuccess"];
            };
        };
        /** @description The token is missing or not valid, its user is disabled, or the second factor is missing */
        UnauthenticatedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 401,
                 *       "message": "a second factor is required: step up, then repeat the request",
                 *       "data": {
                 *         "required": "second_factor",
                 *         "methods": [
                 *           "totp",
                 *           "recovery"
                 *         ],
                 *         "maxAge": 300
                 *       },
                 *       "reason": "access.step_up",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnauthenticatedFailure"];
            };
        };
        /** @description The request is not valid */
        BadRequestResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 400,
                 *       "message": "status: must be one of online, offline",
                 *       "data": [
                 *         {
                 *           "field": "status",
                 *           "message": "must be one of online, offline",
                 *           "reason": "contract.not_one_of",
                 *           "params": {
                 *             "values": "online, offline"
                 *           }
                 *         }
                 *       ],
                 *       "reason": "contract.not_one_of",
                 *       "params": {
                 *         "values": "online, offline"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BadRequestFailure"];
            };
        };
        /** @description The caller's roles do not grant this */
        ForbiddenResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 403,
                 *       "message": "none of your roles grants this operation",
                 *       "data": null,
                 *       "reason": "access.not_granted",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["ForbiddenFailure"];
            };
        };
        /** @description The record does not exist */
        NotFoundResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 404,
                 *       "message": "alert 12 does not exist",
                 *       "data": null,
                 *       "reason": "alerts.alert_not_found",
                 *       "params": {
                 *         "id": "12"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NotFoundFailure"];
            };
        };
        /** @description The current state does not allow the operation */
        ConflictResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 409,
                 *       "message": "backup 41 cannot be used: its status is failed, not success",
                 *       "data": null,
                 *       "reason": "backups.not_usable",
                 *       "params": {
                 *         "id": "41",
                 *         "status": "failed"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConflictFailure"];
            };
        };
        /** @description The body is too large */
        TooLargeResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 413,
                 *       "message": "the body is too large",
                 *       "data": null,
                 *       "reason": "contract.body_too_large",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["TooLargeFailure"];
            };
        };
        /** @description The body is not JSON */
        UnsupportedMediaResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 415,
                 *       "message": "the body must be application/json, and not compressed",
                 *       "data": null,
                 *       "reason": "contract.media_type",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnsupportedMediaFailure"];
            };
        };
        /** @description Too many requests; `Retry-After` says how many seconds to wait */
        TooManyRequestsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 429,
                 *       "message": "too many requests",
                 *       "data": null,
                 *       "reason": "service.limited",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["TooManyRequestsFailure"];
            };
        };
        /** @description An internal error */
        InternalErrorResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 500,
                 *       "message": "internal error, request 0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11",
                 *       "data": null,
                 *       "reason": "service.internal",
                 *       "params": {
                 *         "request": "0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InternalErrorFailure"];
            };
        };
        /** @description The service is not ready */
        UnavailableResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 503,
                 *       "message": "the database is not available",
                 *       "data": null,
                 *       "reason": "service.database_away",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnavailableFailure"];
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
    headers: {
        /**
         * @description The id of the request; quote it when you report a problem
         * @example 0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11
         */
        RequestId: string;
        /**
         * @description How to authenticate (RFC 6750); if the second factor is missing, `Bearer error="insufficient_user_authentication", max_age=300` (RFC 9470)
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next attempt
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description How many requests the rate limit of this operation allows; absent if it has no limit
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description How many requests are left
         * @example 59
         */
        RateLimitRemaining: number;
        /**
         * @description Seconds until the limit is reset
         * @example 60
         */
        RateLimitReset: number;
    };
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
            200: components["responses"]["StatusListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description With `true` only handled alerts, with `false` only open alerts */
                handled?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AlertListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
            200: components["responses"]["AlertResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
            200: components["responses"]["DeviceListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
            200: components["responses"]["DeviceResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
            200: components["responses"]["BackupListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
            200: components["responses"]["BackupResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
            200: components["responses"]["RestoredResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
            200: components["responses"]["CheckResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
                 *       "description": "The door of the server room was forced open."
                 *     }
                 */
                "application/json": components["schemas"]["CallForHelp"];
            };
        };
        responses: {
            200: components["responses"]["EmergencyResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
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
            200: components["responses"]["ReportResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            429: components["responses"]["TooManyRequestsResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
}
