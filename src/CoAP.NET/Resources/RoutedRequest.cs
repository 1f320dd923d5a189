namespace CoAP.Resources;

/// <summary>What routing has found out about a request.</summary>
internal static class RoutedRequest
{
    extension(IncomingRequest request)
    {
        /// <summary>Where the request goes.</summary>
        public Dispatch Dispatch => request.Route as Dispatch ?? Dispatch.None;

        /// <summary>The resource that the request is for; <see langword="null"/> if there is none.</summary>
        public Resource? Resource => request.Dispatch.Resource;
    }
}
