using System.ComponentModel;

namespace CoAP.Hosting.Binding;

/// <summary>The part of a request that holds an argument. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum ArgumentSource
{
    /// <summary>The path if its template has a placeholder with the name, otherwise the query.</summary>
    RouteOrQuery,

    /// <summary>A placeholder of the path.</summary>
    Route,

    /// <summary>The query.</summary>
    Query,
}
