namespace ProgramNamespace;

/// <summary>The exit codes of the program.</summary>
public static class ExitCode
{
    /// <summary>The server answered with the resource.</summary>
    public const int Success = 0;

    /// <summary>The server answered with an error, such as 4.04 (Not Found).</summary>
    public const int ErrorResponse = 1;

    /// <summary>There is no response: the arguments are wrong, the server did not answer in time, or the network failed.</summary>
    public const int NoResponse = 2;
}
