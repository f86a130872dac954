export declare const SUMMARY: string
export declare const USER_SUMMARY: string
export declare const WEBHOOK_SUMMARY: string
