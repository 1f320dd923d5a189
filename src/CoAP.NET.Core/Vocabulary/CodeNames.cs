namespace CoAP;

/// <summary>The names of the registered methods and response codes (RFC 7252, section 12.1).</summary>
internal static class CodeNames
{
    private static readonly Dictionary<CoapCode, string> Names = new()
    {
        [RequestCode.Get] = "GET",
        [RequestCode.Post] = "POST",
        [RequestCode.Put] = "PUT",
        [RequestCode.Delete] = "DELETE",
        [RequestCode.Fetch] = "FETCH",
        [RequestCode.Patch] = "PATCH",
        [RequestCode.IPatch] = "iPATCH",
        [ResponseCode.Created] = "Created",
        [ResponseCode.Deleted] = "Deleted",
        [ResponseCode.Valid] = "Valid",
        [ResponseCode.Changed] = "Changed",
        [ResponseCode.Content] = "Content",
        [ResponseCode.Continue] = "Continue",
        [ResponseCode.BadRequest] = "Bad Request",
        [ResponseCode.Unauthorized] = "Unauthorized",
        [ResponseCode.BadOption] = "Bad Option",
        [ResponseCode.Forbidden] = "Forbidden",
        [ResponseCode.NotFound] = "Not Found",
        [ResponseCode.MethodNotAllowed] = "Method Not Allowed",
        [ResponseCode.NotAcceptable] = "Not Acceptable",
        [ResponseCode.RequestEntityIncomplete] = "Request Entity Incomplete",
        [ResponseCode.Conflict] = "Conflict",
        [ResponseCode.PreconditionFailed] = "Precondition Failed",
        [ResponseCode.RequestEntityTooLarge] = "Request Entity Too Large",
        [ResponseCode.UnsupportedContentFormat] = "Unsupported Content-Format",
        [ResponseCode.UnprocessableEntity] = "Unprocessable Entity",
        [ResponseCode.TooManyRequests] = "Too Many Requests",
        [ResponseCode.InternalServerError] = "Internal Server Error",
        [ResponseCode.NotImplemented] = "Not Implemented",
        [ResponseCode.BadGateway] = "Bad Gateway",
        [ResponseCode.ServiceUnavailable] = "Service Unavailable",
        [ResponseCode.GatewayTimeout] = "Gateway Timeout",
        [ResponseCode.ProxyingNotSupported] = "Proxying Not Supported",
        [ResponseCode.HopLimitReached] = "Hop Limit Reached",
    };

    /// <summary>Returns the name of a method, such as "GET", or "0.dd" if it is not registered.</summary>
    public static string OfMethod(CoapCode method) => Names.GetValueOrDefault(method) ?? method.ToString();

    /// <summary>Returns a response code with its name, such as "4.04 Not Found", or "c.dd" if it is not registered.</summary>
    public static string OfResponse(CoapCode code) => Names.TryGetValue(code, out var name) ? $"{code} {name}" : code.ToString();
}
