namespace CoAP.Resources;

/// <summary>The routing result of a request.</summary>
internal static class RoutedRequestExtensions
{
    extension(IncomingRequest request)
    {
        /// <summary>The routing result.</summary>
        public Dispatch Dispatch => request.Route as Dispatch ?? Dispatch.None;

        /// <summary>The resource of the request; <see langword="null"/> if there is none.</summary>
        public Resource? Resource => request.Dispatch.Resource;
    }
}
