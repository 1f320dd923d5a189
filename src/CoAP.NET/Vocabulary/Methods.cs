namespace CoAP.Vocabulary;

/// <summary>What the methods promise (RFC 7252, section 5.1; RFC 8132, section 2).</summary>
internal static class Methods
{
    extension(CoapCode method)
    {
        /// <summary>Whether the method only retrieves.</summary>
        public bool IsSafe => method == RequestCode.Get || method == RequestCode.Fetch;
    }
}
