CREATE TABLE "tasks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"phase" text DEFAULT '' NOT NULL,
	"done" bigint DEFAULT 0 NOT NULL,
	"total" bigint,
	"creator" text DEFAULT '' NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"message" text DEFAULT '' NOT NULL,
	"backup_id" bigint,
	"result" jsonb,
	"lease_owner" uuid,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "tasks_kind_check" CHECK ("tasks"."kind" in ('backup', 'restore', 'check', 'verification')),
	CONSTRAINT "tasks_state_check" CHECK ("tasks"."state" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
CREATE INDEX "tasks_kind_index" ON "tasks" USING btree ("kind","id");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_verification_key" ON "tasks" USING btree ("kind") WHERE "tasks"."state" = 'running' and "tasks"."kind" = 'verification';--> statement-breakpoint
CREATE INDEX "operation_logs_username_index" ON "operation_logs" USING btree ("username","seq") WHERE "operation_logs"."hidden_by" is null;--> statement-breakpoint
CREATE INDEX "runs_held_index" ON "runs" USING btree ("id") WHERE "runs"."state" = 'held';--> statement-breakpoint
-- Instances that show progress or what is urgent are told of every change. The payload is the table's name.
CREATE FUNCTION "notify_live"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('steward_live', TG_TABLE_NAME);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "runs_live" AFTER INSERT OR UPDATE ON "runs" FOR EACH STATEMENT EXECUTE FUNCTION "notify_live"();--> statement-breakpoint
CREATE TRIGGER "tasks_live" AFTER INSERT OR UPDATE ON "tasks" FOR EACH STATEMENT EXECUTE FUNCTION "notify_live"();--> statement-breakpoint
CREATE TRIGGER "alerts_live" AFTER INSERT OR UPDATE OR DELETE ON "alerts" FOR EACH STATEMENT EXECUTE FUNCTION "notify_live"();--> statement-breakpoint
-- A row changes with every attempt to sign in: only locks matter.
CREATE TRIGGER "throttles_locked_live" AFTER INSERT ON "throttles" FOR EACH ROW WHEN (NEW."locked_until" IS NOT NULL) EXECUTE FUNCTION "notify_live"();--> statement-breakpoint
CREATE TRIGGER "throttles_changed_live" AFTER UPDATE ON "throttles" FOR EACH ROW WHEN (NEW."locked_until" IS DISTINCT FROM OLD."locked_until") EXECUTE FUNCTION "notify_live"();--> statement-breakpoint
CREATE TRIGGER "throttles_cleared_live" AFTER DELETE ON "throttles" FOR EACH ROW WHEN (OLD."locked_until" IS NOT NULL) EXECUTE FUNCTION "notify_live"();
