namespace CoAP.Vocabulary;

/// <summary>The properties of the methods (RFC 7252, section 5.1; RFC 8132, section 2).</summary>
internal static class Methods
{
    extension(CoapCode method)
    {
        /// <summary>Whether the method only retrieves a representation.</summary>
        public bool IsSafe => method == RequestCode.Get || method == RequestCode.Fetch;
    }
}
