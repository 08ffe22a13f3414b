CREATE TABLE "operation_log_head" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL,
	"cleaned_to" bigint NOT NULL,
	"last_seal" bigint NOT NULL,
	"seal" text NOT NULL,
	CONSTRAINT "operation_log_head_check" CHECK ("operation_log_head"."id" = 1)
);
--> statement-breakpoint
DROP INDEX "operation_logs_visible_index";--> statement-breakpoint
DROP INDEX "operation_logs_status_index";--> statement-breakpoint
ALTER TABLE "operation_logs" ALTER COLUMN "seq" DROP IDENTITY;--> statement-breakpoint
ALTER TABLE "operation_logs" ADD COLUMN "hidden_by" bigint;--> statement-breakpoint
CREATE INDEX "operation_logs_hidden_index" ON "operation_logs" USING btree ("hidden_by") WHERE "operation_logs"."hidden_by" is not null;--> statement-breakpoint
CREATE INDEX "operation_logs_visible_index" ON "operation_logs" USING btree ("seq" DESC NULLS LAST) WHERE "operation_logs"."hidden_by" is null;--> statement-breakpoint
CREATE INDEX "operation_logs_status_index" ON "operation_logs" USING btree ("status","seq" DESC NULLS LAST) WHERE "operation_logs"."hidden_by" is null;--> statement-breakpoint
ALTER TABLE "operation_logs" DROP COLUMN "hidden";